// The scenario files of a folder, for `list` and `run FOLDER`.
#pragma once

#include <string>
#include <vector>

namespace holdfast::scenario {

// The *.json files right in `folder`, sorted by bytes; none when there is no such folder.
std::vector<std::string> catalogue_files(const std::string& folder);

}  // namespace holdfast::scenario
