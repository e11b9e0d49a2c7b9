#include "scenarios/main/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "reports/render/terminal.h"

namespace holdfast::program {

Progress::Progress(std::size_t scenarios)
    : terminal_(isatty(STDERR_FILENO) != 0), scenarios_(scenarios) {
  if (terminal_) return;
  std::fprintf(stderr, "running %zu scenario%s\n", scenarios, scenarios == 1 ? "" : "s");
}

void Progress::begins(const std::string& what) {
  const std::lock_guard lock(mutex_);
  if (terminal_) show(what);
}

void Progress::done(const report::ScenarioResult& result) {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (terminal_) {
    show(result.name);
    return;
  }
  const std::string all = std::to_string(scenarios_);
  std::fprintf(stderr, "%s\n",
               fmt::format("{:>{}}/{}  {}", done_, all.size(), all, render_line(result)).c_str());
}

void Progress::over() {
  const std::lock_guard lock(mutex_);
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::show(const std::string& text) {
  std::fprintf(stderr, "\r\033[K%zu/%zu  %s", done_, scenarios_, text.c_str());
}

}  // namespace holdfast::program
