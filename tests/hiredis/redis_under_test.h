// A real redis-server for one test: on a free port of 127.0.0.1 and a unix socket, in a folder of
// its own. Killed and removed at the end, whatever happened.
#pragma once

#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockcore/env.h"

namespace holdfast::test {

inline std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  close(fd);
  return ntohs(address.sin_port);
}

class RedisUnderTest {
 public:
  RedisUnderTest() : port_(free_port()) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "holdfast-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    start();
  }
  ~RedisUnderTest() {
    kill_hard();
    std::filesystem::remove_all(folder_);
  }
  RedisUnderTest(const RedisUnderTest&) = delete;
  RedisUnderTest& operator=(const RedisUnderTest&) = delete;

  void start() {
    const std::string log = (folder_ / "log").string();
    std::vector<std::string> arguments = {"redis-server",   "--port",    std::to_string(port_),
                                          "--bind",         "127.0.0.1", "--unixsocket",
                                          socket_path(),    "--save",    "",
                                          "--appendonly",   "no",        "--dir",
                                          folder_.string(), "--logfile", log};
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t runner = getpid();
    pid_ = fork();
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != runner) _exit(1);
    execvp("redis-server", argv.data());
    // The same program under the name that redis-tools gives it.
    execv("/usr/bin/redis-check-rdb", argv.data());
    _exit(127);
  }
  void kill_hard() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  // Has taken effect when it returns.
  void freeze() {
    kill(pid_, SIGSTOP);
    waitpid(pid_, nullptr, WUNTRACED);
  }
  void thaw() { kill(pid_, SIGCONT); }

  Endpoint by_port() const { return {"n1", "127.0.0.1", port_}; }
  Endpoint by_socket() const { return {"n1", {}, 0, socket_path()}; }

 private:
  std::string socket_path() const { return (folder_ / "socket").string(); }

  std::filesystem::path folder_;
  std::uint16_t port_;
  pid_t pid_ = 0;
};

}  // namespace holdfast::test
