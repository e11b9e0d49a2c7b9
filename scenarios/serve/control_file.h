// ControlFile: where `holdfast fault` finds the control port of a served cluster: a small file in
// the user's runtime folder, one for each `holdfast serve` that runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::serve {

struct Served {
  std::uint16_t control_port = 0;
  int process = 0;
  std::string scenario;
};

class ControlFile {
 public:
  // Nothing is written where there is no folder to write to: then --control is needed.
  ControlFile(std::uint16_t control_port, const std::string& scenario);
  ~ControlFile();
  ControlFile(const ControlFile&) = delete;
  ControlFile& operator=(const ControlFile&) = delete;

 private:
  std::filesystem::path path_;
};

// Those that run; files of dead ones are removed.
std::vector<Served> served_now();

}  // namespace holdfast::serve
