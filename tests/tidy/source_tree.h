// The project's own sources as text, for the tests that enforce the house rules.
#pragma once

#include <string>
#include <vector>

namespace holdfast::tidy {

struct SourceFile {
  std::string path;  // from the top of the project, "lockcore/task.h"
  std::vector<std::string> lines;
};

// All .h and .cc files of the rooms (lockcore, sim, reports, scenarios, tests), sorted by path.
std::vector<SourceFile> sources();

// The lines with comments and the contents of string and character literals blanked out; same count
// and same columns.
std::vector<std::string> code_only(const std::vector<std::string>& lines);

}  // namespace holdfast::tidy
