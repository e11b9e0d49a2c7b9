#include "scenarios/format/catalogue_files.h"

#include "scenarios/format/file_text.h"

namespace holdfast::scenario {

std::vector<std::string> catalogue_files(const std::string& folder) { return json_files(folder); }

}  // namespace holdfast::scenario
