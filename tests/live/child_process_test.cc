// Processes under the lab's control: stopped, continued, killed, and each of it seen to be so.
#include "scenarios/live/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/temporary_folder.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

ChildPlan shell(const std::string& script) { return {"/bin/sh", {"sh", "-c", script}, {}}; }

TEST(ChildProcess, TellsItsExitCodeOrTheSignalThatEndedIt) {
  ChildProcess seven(shell("exit 7"));
  ASSERT_TRUE(seven.wait_for_end(10s));
  EXPECT_EQ(seven.exit_code(), 7);
  EXPECT_EQ(seven.how(), "exit 7");
  ChildProcess killed(shell("exec sleep 1000"));
  EXPECT_TRUE(killed.running());
  killed.kill_hard();
  EXPECT_EQ(killed.exit_code(), std::nullopt);
  EXPECT_EQ(killed.how(), "signal 9");
}

TEST(ChildProcess, AMissingProgramIsOneClearError) {
  const ChildPlan plan{"/nonexistent/program", {"program"}, {}};
  try {
    ChildProcess child(plan);
    FAIL() << "it started";
  } catch (const EnvironmentFailure& failure) {
    EXPECT_STREQ(failure.what(), "cannot run /nonexistent/program: No such file or directory");
  }
}

TEST(ChildProcess, StopAndContAreSeenInItsState) {
  ChildProcess child(shell("while :; do :; done"));
  EXPECT_FALSE(child.stopped());
  const Proof stopped = child.stop();
  EXPECT_TRUE(child.stopped());
  EXPECT_LE(stopped.begun, stopped.proved);
  child.cont();
  EXPECT_FALSE(child.stopped());
}

TEST(ChildProcess, OneThatStopsItselfIsNoticed) {
  ChildProcess child(shell("kill -STOP $$; exit 3"));
  ASSERT_TRUE(child.wait_for_stop(10s));
  child.cont();
  ASSERT_TRUE(child.wait_for_end(10s));
  EXPECT_EQ(child.exit_code(), 3);
}

TEST(ChildProcess, StoppingOneThatHasEndedIsAnError) {
  ChildProcess child(shell("exit 0"));
  ASSERT_TRUE(child.wait_for_end(10s));
  EXPECT_THROW(child.stop(), EnvironmentFailure);
  EXPECT_FALSE(child.stopped());
}

TEST(ChildProcess, GetsItsEnvironmentAndDescriptorsAndNoOthers) {
  const TemporaryFolder folder;
  int text[2];
  ASSERT_EQ(pipe(text), 0);
  ChildPlan plan = shell("read line; echo $line $WORD; ls /proc/self/fd | wc -w");
  plan.environment = {{"WORD", "two"}};
  plan.output = folder.path() / "output";
  plan.descriptors = {{text[0], 0}};
  ChildProcess child(plan);
  ASSERT_EQ(write(text[1], "one\n", 4), 4);
  ASSERT_TRUE(child.wait_for_end(10s));
  std::ifstream in(plan.output);
  std::string words, count;
  std::getline(in, words);
  std::getline(in, count);
  EXPECT_EQ(words, "one two");
  EXPECT_EQ(count, "4") << "0, 1, 2 and the folder that ls reads";
  close(text[0]);
  close(text[1]);
}

TEST(ChildProcess, DiesWithTheRunnerThatWasKilled) {
  int numbers[2];
  ASSERT_EQ(pipe(numbers), 0);
  const pid_t runner = fork();
  if (runner == 0) {
    ChildProcess child(shell("exec sleep 1000"));
    const pid_t pid = child.pid();
    if (write(numbers[1], &pid, sizeof pid) < 0) _exit(1);
    for (;;) ::pause();
  }
  pid_t grandchild = 0;
  ASSERT_EQ(read(numbers[0], &grandchild, sizeof grandchild),
            static_cast<ssize_t>(sizeof grandchild));
  EXPECT_EQ(kill(grandchild, 0), 0);
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  const Instant end = host_now() + 10s;
  // Once dead it may stay a zombie until its new parent reaps it.
  const auto is_dead = [grandchild] {
    std::ifstream in("/proc/" + std::to_string(grandchild) + "/stat");
    std::string line;
    std::getline(in, line);
    return line.empty() || line.find(") Z ") != std::string::npos;
  };
  while (!is_dead() && host_now() < end) usleep(1000);
  EXPECT_TRUE(is_dead());
  close(numbers[0]);
  close(numbers[1]);
}

}  // namespace
}  // namespace holdfast::live
