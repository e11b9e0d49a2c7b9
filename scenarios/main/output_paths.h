// Where results go: looked at before anything runs, so that no work is done for nothing.
#pragma once

#include <optional>
#include <string>

namespace holdfast::program {

// Why files cannot be written in `folder`, which is made when it is not there; or nothing.
std::optional<std::string> refuse_folder(const std::string& folder);

// Why the file cannot be written, or nothing. What it holds stays; a new one is left empty.
std::optional<std::string> refuse_file(const std::string& path);

// Writes the file; what went wrong, or nothing.
std::optional<std::string> write_file(const std::string& path, const std::string& text);

}  // namespace holdfast::program
