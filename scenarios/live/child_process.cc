#include "scenarios/live/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "scenarios/live/environment_failure.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSignalPatience = 5s;
constexpr Duration kLookEvery = 100us;

// Asks again and again until it is true or `patience` has passed.
template <class Condition>
bool wait_until(Duration patience, Condition&& condition) {
  const Instant end = host_now() + patience;
  while (!condition()) {
    if (host_now() >= end) return false;
    const timespec pause{0, std::chrono::nanoseconds(kLookEvery).count()};
    nanosleep(&pause, nullptr);
  }
  return true;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (auto& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& additions) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view known(*entry);
    bool replaced = false;
    for (const auto& [name, value] : additions) replaced |= known.starts_with(name + "=");
    if (!replaced) result.emplace_back(known);
  }
  for (const auto& [name, value] : additions) result.push_back(name + "=" + value);
  return result;
}

// A copy with a number that no child is given, so that dup2 overwrites none that is still needed.
int out_of_the_way(int descriptor) {
  constexpr int kAboveAll = 64;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, kAboveAll);
}

// All that the child needs between fork and exec, prepared before: there nothing may allocate,
// because another thread of ours may have held the allocator's lock.
struct Launch {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* output;
  const std::vector<std::pair<int, int>>* descriptors;
  pid_t parent;
  int report;  // tells errno when exec fails
};

[[noreturn]] void become(const Launch& launch) {
  const auto give_up = [&launch] {
    const int error = errno;
    if (write(launch.report, &error, sizeof error) < 0) _exit(126);
    _exit(127);
  };
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) signal(number, SIG_DFL);
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (getppid() != launch.parent) _exit(125);  // the runner died before the line above

  const int input = open("/dev/null", O_RDONLY);
  const int output = open(launch.output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (input < 0 || output < 0) give_up();
  // Everything of ours closes at exec; dup2 makes copies that do not.
  if (close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC) != 0) give_up();
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) give_up();
  for (const auto& [ours, childs] : *launch.descriptors) {
    if (dup2(ours, childs) < 0) give_up();
  }
  execve(launch.program, launch.arguments, launch.environment);
  give_up();
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const ChildPlan& plan) {
  std::vector<std::string> arguments = plan.arguments;
  std::vector<std::string> environment = environment_with(plan.environment);
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const std::string output = plan.output.empty() ? "/dev/null" : plan.output.string();
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) fail_with_errno("pipe");
  const int report_end = out_of_the_way(report[1]);
  close(report[1]);
  auto descriptors = plan.descriptors;
  for (auto& entry : descriptors) entry.first = out_of_the_way(entry.first);
  const Launch launch{plan.program.c_str(), argv.data(), envp.data(), output.c_str(),
                      &descriptors,         getpid(),    report_end};
  pid_ = fork();
  if (pid_ == 0) become(launch);
  const int fork_error = errno;
  close(report_end);
  for (const auto& entry : descriptors) close(entry.first);
  int error = 0;
  const ssize_t told = pid_ < 0 ? 0 : read(report[0], &error, sizeof error);
  close(report[0]);
  if (pid_ < 0) error = fork_error;
  if (pid_ < 0 || told > 0) {
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    pid_ = -1;
    errno = error;
    fail_with_errno("cannot run " + plan.program);
  }
}

ChildProcess::~ChildProcess() {
  if (!running()) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::running() {
  if (status_.has_value() || pid_ <= 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return !status_.has_value();
}

std::string ChildProcess::how() {
  if (running()) return "running";
  const int status = status_.value_or(0);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit " + std::to_string(WEXITSTATUS(status));
}

std::optional<int> ChildProcess::exit_code() {
  if (running() || !status_.has_value() || !WIFEXITED(*status_)) return std::nullopt;
  return WEXITSTATUS(*status_);
}

bool ChildProcess::wait_for_end(Duration patience) {
  return wait_until(patience, [this] { return !running(); });
}

// The state letter stands behind the name, which may hold spaces: "123 (redis-server) T ...".
bool ChildProcess::every_thread_is(bool want_stopped) const {
  std::error_code error;
  bool any = false;
  const std::filesystem::path tasks = "/proc/" + std::to_string(pid_) + "/task";
  for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end;
       task.increment(error)) {
    std::ifstream in(task->path() / "stat");
    std::string line;
    std::getline(in, line);
    const auto name_end = line.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= line.size()) return false;
    const char state = line[name_end + 2];
    if ((state == 'T' || state == 't') != want_stopped) return false;
    any = true;
  }
  return any && !error;
}

bool ChildProcess::stopped() const { return every_thread_is(true); }

bool ChildProcess::wait_for_stop(Duration patience) const {
  return wait_until(patience, [this] { return stopped(); });
}

void ChildProcess::send(int signal) {
  if (running() && kill(pid_, signal) == 0) return;
  throw EnvironmentFailure("process " + std::to_string(pid_) + " has ended by itself: " + how());
}

Proof ChildProcess::stop() {
  const Instant begun = host_now();
  send(SIGSTOP);
  if (!wait_for_stop(kSignalPatience)) {
    throw EnvironmentFailure("process " + std::to_string(pid_) + " does not stop");
  }
  return {begun, host_now(), "state T of pid " + std::to_string(pid_)};
}

Proof ChildProcess::cont() {
  const Instant begun = host_now();
  send(SIGCONT);
  if (!wait_until(kSignalPatience, [this] { return every_thread_is(false); })) {
    throw EnvironmentFailure("process " + std::to_string(pid_) + " does not go on");
  }
  return {begun, host_now(), "pid " + std::to_string(pid_) + " runs"};
}

Proof ChildProcess::kill_hard() {
  const Instant begun = host_now();
  if (running()) kill(pid_, SIGKILL);
  if (!wait_for_end(kSignalPatience)) {
    throw EnvironmentFailure("process " + std::to_string(pid_) + " does not die");
  }
  return {begun, host_now(), "pid " + std::to_string(pid_) + " ended by " + how()};
}

void ChildProcess::end(Duration patience) {
  if (running()) kill(pid_, SIGTERM);
  if (!wait_for_end(patience)) kill_hard();
}

}  // namespace holdfast::live
