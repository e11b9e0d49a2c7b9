// ChildProcess: a process that the lab has started, with the signals that faults are made of, each
// proved by the state that the kernel shows.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/live/proof.h"

namespace holdfast::live {

struct ChildPlan {
  std::string program;                                           // path of the executable
  std::vector<std::string> arguments;                            // with argv[0]
  std::vector<std::pair<std::string, std::string>> environment;  // set in addition to ours
  std::filesystem::path output = {};  // stdout and stderr are appended to it; empty: /dev/null
  std::vector<std::pair<int, int>> descriptors = {};  // ours -> the child's, e.g. {pipe, 0}
};

class ChildProcess {
 public:
  // Starts it in a process group of its own, so that Ctrl-C does not reach it, and under
  // PR_SET_PDEATHSIG: the kernel kills it when the *thread* that started it ends. No descriptor of
  // ours is inherited but plan.descriptors. Throws EnvironmentFailure when it cannot be executed.
  explicit ChildProcess(const ChildPlan& plan);
  ~ChildProcess();  // kills it
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const noexcept { return pid_; }
  // False once it has ended; how() then says in what way: "exit 1", "signal 9".
  bool running();
  std::string how();
  std::optional<int> exit_code();  // nothing when it runs or was ended by a signal
  // Waits at most this long for its end.
  bool wait_for_end(Duration patience);

  // SIGSTOP; proved when every thread is stopped.
  Proof stop();
  // True when every thread is stopped now, by whomever.
  bool stopped() const;
  // Waits for stopped(), e.g. when the child stops itself.
  bool wait_for_stop(Duration patience) const;
  // SIGCONT; proved when no thread is stopped.
  Proof cont();
  // SIGKILL; proved by the process's end. Harmless when it has ended.
  Proof kill_hard();
  // SIGTERM, then SIGKILL after `patience`.
  void end(Duration patience);

 private:
  bool every_thread_is(bool want_stopped) const;
  void send(int signal);

  pid_t pid_ = -1;
  std::optional<int> status_;  // of waitpid, once it has ended
};

}  // namespace holdfast::live
