// Comparing with files in tests/reports/golden, byte for byte. With HOLDFAST_UPDATE_GOLDEN=1 in the
// environment the files are written anew instead; look at the difference before committing it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace holdfast::report {

inline std::string file_contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(HOLDFAST_SOURCE_DIR) + "/tests/reports/golden/" + name;
  if (std::getenv("HOLDFAST_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
  }
  EXPECT_EQ(file_contents(path), actual) << "golden file " << path;
}

}  // namespace holdfast::report
