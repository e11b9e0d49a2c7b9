// The built program, started as its users start it: with arguments, in a folder, with a PATH; its
// output and its exit code.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/reports/temporary_folder.h"

namespace holdfast::test {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Outcome {
  int code = -1;  // 128 + number: ended by a signal
  std::string out, err;
};

// A folder in which programs run: "work" is theirs, "tmp" is their TMPDIR, the rest is ours.
class Workplace {
 public:
  Workplace() {
    fs::create_directories(work());
    fs::create_directories(tmp());
  }
  fs::path work() const { return folder_ / "work"; }
  fs::path tmp() const { return folder_ / "tmp"; }
  fs::path path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(work() / name, std::ios::binary) << text;
    return name;
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(work())) names.insert(entry.path().filename());
    return names;
  }
  bool nothing_temporary() const { return fs::is_empty(tmp()); }

 private:
  report::TemporaryFolder folder_;
};

// Dies with the test. Heads a process group of its own, as a shell's job does.
class StartedProgram {
 public:
  // `output`: a device in place of the file whose contents become Outcome::out.
  StartedProgram(const Workplace& place, const std::vector<std::string>& arguments,
                 const std::string& search_path = {}, const std::string& output = {})
      : out_(output.empty() ? place.path("out").string() : output),
        err_(place.path("err")),
        device_(!output.empty()) {
    std::vector<std::string> words{"holdfast"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    if (dup2(open(out_.c_str(), kFlags, 0600), 1) < 0) _exit(126);
    if (dup2(open(err_.c_str(), kFlags, 0600), 2) < 0) _exit(126);
    if (chdir(place.work().c_str()) != 0) _exit(126);
    setenv("TMPDIR", place.tmp().c_str(), 1);
    if (!search_path.empty()) setenv("PATH", search_path.c_str(), 1);
    execv(HOLDFAST_BINARY_DIR "/holdfast", argv.data());
    _exit(127);
  }
  ~StartedProgram() {
    if (ended_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  // What Ctrl-C at a terminal does: to the whole group.
  void interrupt() const { kill(-pid_, SIGINT); }

  Outcome wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (!device_) outcome.out = contents(out_);
    outcome.err = contents(err_);
    return outcome;
  }

  // Looks again and again until it is so, or until the program has ended: false.
  bool reaches(const std::function<bool()>& state) {
    while (!state()) {
      siginfo_t info{};
      waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid != 0) return false;
      std::this_thread::yield();
      usleep(2'000);
    }
    return true;
  }
  std::size_t threads() const {
    std::error_code error;
    const fs::directory_iterator tasks("/proc/" + std::to_string(pid_) + "/task", error);
    return error ? 0 : static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
  }
  // The processes that it has started, and that live.
  std::vector<pid_t> children() const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      pid_t pid = 0;
      const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
      if (error != std::errc() || stop != name.data() + name.size()) continue;
      std::ifstream file(entry.path() / "stat");
      std::string stat;
      std::getline(file, stat);  // leaves it empty when the process ends meanwhile
      const auto behind_name = stat.rfind(") ");
      if (behind_name == std::string::npos) continue;
      // "S 123 ...": the state and the parent.
      if (stat[behind_name + 2] == 'Z') continue;
      if (std::atoi(stat.c_str() + behind_name + 4) == pid_) found.push_back(pid);
    }
    return found;
  }

 private:
  std::string out_, err_;
  bool device_ = false;
  pid_t pid_ = -1;
  bool ended_ = false;
};

inline Outcome run_program(const Workplace& place, const std::vector<std::string>& arguments,
                           const std::string& search_path = {}) {
  return StartedProgram(place, arguments, search_path).wait();
}

// What the program shows when its standard output is a terminal.
inline std::string shown_on_terminal(const Workplace& place,
                                     const std::vector<std::string>& arguments) {
  const int screen = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (screen < 0 || grantpt(screen) != 0 || unlockpt(screen) != 0) return "no terminal";
  const std::string terminal = ptsname(screen);
  // Held open, so that nothing is lost when the program ends.
  const int held = open(terminal.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::string shown;
  const auto look = [&] {
    char buffer[4096];
    for (ssize_t n = 0; (n = read(screen, buffer, sizeof buffer)) > 0;) {
      shown.append(buffer, static_cast<std::size_t>(n));
    }
    return false;
  };
  StartedProgram program(place, arguments, {}, terminal);
  program.reaches(look);
  look();
  close(held);
  close(screen);
  return shown;
}

inline std::string catalogue(const std::string& name) {
  return HOLDFAST_SOURCE_DIR "/scenarios/catalogue/" + name + ".json";
}

// A scenario of the catalogue with one text in place of another.
inline std::string changed(const std::string& name, const std::string& from,
                           const std::string& to) {
  std::string text = contents(catalogue(name));
  const auto at = text.find(from);
  if (at == std::string::npos) return "the catalogue's " + name + " does not hold " + from;
  return text.replace(at, from.size(), to);
}

}  // namespace holdfast::test
