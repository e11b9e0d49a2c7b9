// TemporaryFolder: where one live run keeps the files of its servers; gone when the run is.
#pragma once

#include <filesystem>

namespace holdfast::live {

class TemporaryFolder {
 public:
  // Creates it under $TMPDIR or /tmp, named after this process, and removes those that killed
  // runners have left there. Throws EnvironmentFailure when it cannot be created.
  TemporaryFolder();
  // Removes it with all that is in it.
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;  // locked for as long as this runner lives
};

// Removes the folders of runners that are dead from `parent`; how many. A folder is left over when
// the process in its name is gone *and* nobody holds its lock (the process may live in another
// process namespace).
int remove_left_overs(const std::filesystem::path& parent);

}  // namespace holdfast::live
