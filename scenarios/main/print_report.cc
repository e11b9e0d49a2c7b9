#include "scenarios/main/print_report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "reports/render/terminal.h"

namespace holdfast::program {
namespace {

// Of standard output when it is a terminal: what COLUMNS says, else what the terminal says.
std::size_t terminal_columns() {
  if (isatty(STDOUT_FILENO) == 0) return report::kTerminalColumns;
  if (const char* text = std::getenv("COLUMNS")) {  // NOLINT(concurrency-mt-unsafe): one thread
    const std::string_view digits(text);
    std::size_t columns = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    if (error == std::errc() && end == digits.data() + digits.size() && columns > 0) return columns;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return report::kTerminalColumns;
}

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

}  // namespace

void print_report(const report::Report& report, bool explain) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const std::size_t columns = terminal_columns();
  print(render_table(report, colour, columns) + "\n");
  for (const auto& result : report.scenarios) {
    if (!explain) break;
    for (const auto& violation : result.violations) {
      print(render_violation(result, violation, colour, columns) + "\n");
    }
  }
  print(render_summary(report, colour, columns));
}

}  // namespace holdfast::program
