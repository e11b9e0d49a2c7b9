#include "scenarios/main/output_paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace holdfast::program {

namespace fs = std::filesystem;

namespace {

std::string problem(const std::string& what, const std::string& path, int code) {
  return "cannot " + what + " " + path + ": " + std::generic_category().message(code);
}

}  // namespace

std::optional<std::string> refuse_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = {ENOTDIR, std::generic_category()};
  if (error) return problem("make the folder", folder, error.value());
  const std::string probe = fs::path(folder) / (".holdfast-" + std::to_string(getpid()));
  const int file = open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return problem("write in the folder", folder, errno);
  close(file);
  unlink(probe.c_str());
  return std::nullopt;
}

std::optional<std::string> refuse_file(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return problem("write", path, errno);
  close(file);
  return std::nullopt;
}

std::optional<std::string> write_file(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return problem("write", path, errno);
  std::size_t done = 0;
  int code = 0;
  while (done < text.size() && code == 0) {
    const ssize_t part = write(file, text.data() + done, text.size() - done);
    if (part > 0) done += static_cast<std::size_t>(part);
    if (part < 0 && errno != EINTR) code = errno;
  }
  if (close(file) != 0 && code == 0) code = errno;
  if (code != 0) return problem("write", path, code);
  return std::nullopt;
}

}  // namespace holdfast::program
