#include <algorithm>
#include <filesystem>

#include "scenarios/main/command_line.h"

namespace holdfast::program {

namespace fs = std::filesystem;

std::vector<std::string> scenario_files(const std::vector<std::string>& paths,
                                        std::string& problem) {
  std::vector<std::string> wanted = paths;
  if (wanted.empty()) wanted.emplace_back(HOLDFAST_CATALOGUE);
  std::vector<std::string> files;
  for (const auto& path : wanted) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error)) {
        problem = path + ": no such file or folder";
        return {};
      }
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      if (entry.path().extension() == ".json") inside.push_back(entry.path().string());
    }
    std::sort(inside.begin(), inside.end());
    if (inside.empty()) problem = path + ": no scenario files (*.json) in this folder";
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

}  // namespace holdfast::program
