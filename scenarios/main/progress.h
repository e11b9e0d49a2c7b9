// Progress: what a run is doing, on standard error.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "reports/report.h"

namespace holdfast::program {

// On a terminal one line that changes; else a line for each scenario that is done, as it is done.
// Any thread may tell.
class Progress {
 public:
  explicit Progress(std::size_t scenarios);

  void begins(const std::string& what);
  void done(const report::ScenarioResult& result);
  // Nothing of it is left on a terminal.
  void over();

 private:
  void show(const std::string& text);

  const bool terminal_;
  const std::size_t scenarios_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

}  // namespace holdfast::program
