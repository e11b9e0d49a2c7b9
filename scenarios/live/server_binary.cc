#include "scenarios/live/server_binary.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "scenarios/live/child_process.h"
#include "scenarios/live/environment_failure.h"
#include "scenarios/live/temporary_folder.h"

namespace holdfast::live {
namespace {

namespace fs = std::filesystem;

std::string on_path(const std::string& name) {
  const char* const configured = getenv("PATH");
  std::istringstream folders(configured == nullptr ? "" : configured);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (fs::is_regular_file(candidate) && access(candidate.c_str(), X_OK) == 0) {
      return candidate.string();
    }
  }
  return {};
}

// "Redis server v=7.0.15 sha=00000000:0 ..."
void read_version(ServerBinary& binary) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "version";
  ChildPlan plan{binary.path, {"redis-server", "--version"}, {}};
  plan.output = output;
  ChildProcess child(plan);
  child.wait_for_end(std::chrono::seconds(30));
  std::ifstream in(output);
  for (std::string word; in >> word;) {
    if (word.rfind("v=", 0) == 0) binary.version = word.substr(2);
  }
  if (std::sscanf(binary.version.c_str(), "%d.%d", &binary.major, &binary.minor) != 2) {
    throw EnvironmentFailure(binary.path + " does not say which version of redis-server it is");
  }
}

}  // namespace

ServerBinary find_server_binary() {
  ServerBinary binary;
  binary.path = on_path("redis-server");
  if (binary.path.empty()) binary.path = on_path("redis-check-rdb");
  if (binary.path.empty()) {
    throw EnvironmentFailure(
        "no redis-server on the PATH: install it (Debian: redis-tools is enough and starts no "
        "service)");
  }
  read_version(binary);
  return binary;
}

}  // namespace holdfast::live
