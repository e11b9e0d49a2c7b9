// Nothing is left behind: not by this run, not by one that was killed.
#include "scenarios/live/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace holdfast::live {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsGoneAtItsEndWithAllThatIsInIt) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    fs::create_directories(path / "n1" / "appendonlydir");
    std::ofstream(path / "n1" / "log") << "text";
    EXPECT_TRUE(fs::exists(path / "n1" / "log"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsGoneAfterAnExceptionToo) {
  fs::path path;
  try {
    const TemporaryFolder folder;
    path = folder.path();
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(fs::exists(path));
}

// A child makes a folder, tells its name and waits to be killed.
struct OtherRunner {
  pid_t pid = 0;
  fs::path folder;

  OtherRunner() {
    int names[2];
    if (pipe(names) != 0) throw std::runtime_error("pipe");
    pid = fork();
    if (pid == 0) {
      const TemporaryFolder made;
      const std::string name = made.path().string();
      if (write(names[1], name.data(), name.size()) < 0) _exit(1);
      close(names[1]);
      for (;;) ::pause();
    }
    close(names[1]);
    std::string name(4096, '\0');
    const ssize_t got = read(names[0], name.data(), name.size());
    name.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    close(names[0]);
    folder = name;
  }
  ~OtherRunner() { die(); }
  OtherRunner(const OtherRunner&) = delete;
  OtherRunner& operator=(const OtherRunner&) = delete;
  void die() {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    pid = 0;
  }
};

TEST(TemporaryFolder, TheNextRunRemovesWhatAKilledOneLeft) {
  OtherRunner other;
  ASSERT_TRUE(fs::exists(other.folder));
  other.die();
  ASSERT_TRUE(fs::exists(other.folder));
  const TemporaryFolder next;
  EXPECT_FALSE(fs::exists(other.folder));
}

TEST(TemporaryFolder, TheFolderOfALivingRunIsLeftAlone) {
  OtherRunner other;
  const TemporaryFolder next;
  EXPECT_TRUE(fs::exists(other.folder));
  other.die();
  fs::remove_all(other.folder);
}

TEST(TemporaryFolder, FoldersOfOtherProgramsAreLeftAlone) {
  const TemporaryFolder parent;
  for (const char* name : {"holdfast-", "holdfast-notes", "holdfast-12-x", "other-1-2-abc"}) {
    fs::create_directory(parent.path() / name);
  }
  EXPECT_EQ(remove_left_overs(parent.path()), 0);
  // The first process is alive, but was not started at tick 0: a left-over.
  fs::create_directory(parent.path() / "holdfast-1-0-abc");
  EXPECT_EQ(remove_left_overs(parent.path()), 1);
}

}  // namespace
}  // namespace holdfast::live
