#include "scenarios/main/print_report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "reports/render/terminal.h"

namespace holdfast::program {

void print_report(const report::Report& report, bool explain) {
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  std::fputs(render_table(report, colour).c_str(), stdout);
  for (const auto& result : report.scenarios) {
    for (const auto& violation : result.violations) {
      if (explain) {
        std::fputs(("\n" + render_violation(result, violation, colour)).c_str(), stdout);
      } else if (!violation.html_path.empty()) {
        std::printf("report: %s\n", violation.html_path.c_str());
      }
    }
  }
}

}  // namespace holdfast::program
