// Files and folders of scenarios, as far as reading them goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace holdfast::scenario {

bool is_file(const std::string& path);
// The whole file; nothing when it cannot be read.
std::optional<std::string> read_text_file(const std::string& path);
// The paths of the *.json files right in `folder` (empty: the present one), sorted by bytes; none
// when there is no such folder.
std::vector<std::string> json_files(const std::string& folder);
std::string folder_of(const std::string& path);  // "a/b.json": "a/"; "b.json": ""
std::string stem(const std::string& path);       // "a/b.json": "b"

}  // namespace holdfast::scenario
