#include "scenarios/live/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "scenarios/live/environment_failure.h"

namespace holdfast::live {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "holdfast-";
constexpr const char* kLockFile = "alive";

// When the process was started, in clock ticks since boot; empty when there is none. Tells a
// process from a later one with the same number.
std::string start_time(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  std::string line;
  std::getline(in, line);
  const auto name_end = line.rfind(')');  // the name may hold spaces
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  constexpr int kStartTime = 20;  // field 22 of proc(5), counted behind the name
  for (int i = 0; i < kStartTime; ++i) fields >> field;
  return field;
}

// "holdfast-PID-START-XXXXXX"
bool runner_is_dead(std::string_view name) {
  name.remove_prefix(kPrefix.size());
  const auto first = name.find('-');
  const auto second = first == std::string_view::npos ? first : name.find('-', first + 1);
  if (second == std::string_view::npos) return false;
  const std::string_view pid = name.substr(0, first);
  int number = 0;
  const auto parsed = std::from_chars(pid.begin(), pid.end(), number);
  if (parsed.ec != std::errc() || parsed.ptr != pid.end()) return false;
  return start_time(std::string(pid)) != name.substr(first + 1, second - first - 1);
}

bool is_ours(const fs::path& folder) {
  struct stat status = {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid();
}

bool is_locked(const fs::path& folder) {
  const int fd = open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  const bool locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
  close(fd);
  return locked;
}

fs::path parent_folder() {
  const char* configured = getenv("TMPDIR");
  return configured != nullptr && *configured != '\0' ? fs::path(configured) : fs::path("/tmp");
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const fs::path parent = parent_folder();
  remove_left_overs(parent);
  const std::string pid = std::to_string(getpid());
  std::string pattern =
      (parent / (std::string(kPrefix) + pid + "-" + start_time(pid) + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    fail_with_errno("cannot create a folder in " + parent.string());
  }
  path_ = pattern;
  alive_ = open((path_ / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (alive_ < 0 || flock(alive_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (alive_ >= 0) close(alive_);
    errno = error;
    fail_with_errno("cannot write in " + pattern);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // what stays is removed by the next run
  fs::remove_all(path_, ignored);
  close(alive_);
}

int remove_left_overs(const fs::path& parent) {
  int removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& folder = entry->path();
    const std::string name = folder.filename().string();
    if (!name.starts_with(kPrefix) || !is_ours(folder)) continue;
    if (!runner_is_dead(name) || is_locked(folder)) continue;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    if (!ignored) ++removed;
  }
  return removed;
}

}  // namespace holdfast::live
