#include "scenarios/serve/control_file.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace holdfast::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "holdfast-serve-";

// $XDG_RUNTIME_DIR, else a folder in /tmp that is this user's alone; empty: neither.
fs::path runtime_folder() {
  const char* const told = secure_getenv("XDG_RUNTIME_DIR");
  std::error_code error;
  if (told != nullptr && fs::is_directory(told, error)) return told;
  const fs::path own = "/tmp/holdfast-" + std::to_string(getuid());
  mkdir(own.c_str(), S_IRWXU);
  struct stat found = {};
  if (lstat(own.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return {};
  const bool private_to_us = found.st_uid == getuid() && (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  return private_to_us ? own : fs::path();
}

}  // namespace

ControlFile::ControlFile(std::uint16_t control_port, const std::string& scenario) {
  const fs::path folder = runtime_folder();
  if (folder.empty()) return;
  path_ = folder / (std::string(kPrefix) + std::to_string(getpid()));
  std::ofstream(path_) << control_port << ' ' << scenario << '\n';
}

ControlFile::~ControlFile() {
  std::error_code error;
  if (!path_.empty()) fs::remove(path_, error);
}

std::vector<Served> served_now() {
  std::vector<Served> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runtime_folder(), error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    Served served;
    served.process = std::atoi(name.c_str() + kPrefix.size());
    if (served.process <= 0 || (kill(served.process, 0) != 0 && errno == ESRCH)) {
      fs::remove(entry.path(), error);
      continue;
    }
    std::ifstream file(entry.path());
    if (file >> served.control_port >> served.scenario) found.push_back(served);
  }
  std::sort(found.begin(), found.end(),
            [](const Served& a, const Served& b) { return a.process < b.process; });
  return found;
}

}  // namespace holdfast::serve
