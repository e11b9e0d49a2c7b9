#include "scenarios/live/monitor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/proof.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kMarker = "holdfast-monitor-catch-up-";

bool is_marker(const MonitorLine& line) {
  return line.arguments.size() == 2 && line.arguments[0] == "ECHO" &&
         line.arguments[1].starts_with(kMarker);
}

int connect_to(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail_with_errno("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    fail_with_errno("monitor: connect to port " + std::to_string(port));
  }
  return fd;
}

}  // namespace

struct Monitor::State {
  int socket = -1;
  int stop = -1;  // eventfd: the reader shall end
  std::thread reader;

  mutable std::mutex mutex;  // of all below
  std::condition_variable changed;
  bool confirmed = false;
  std::vector<MonitorLine> lines;
  std::string last_marker;
  std::optional<Instant> ended;
  std::string malformed;

  void read_all();
  void take(std::string_view line, Instant arrived);
  ~State() {
    if (reader.joinable()) {
      const std::uint64_t one = 1;
      if (write(stop, &one, sizeof one) < 0) shutdown(socket, SHUT_RDWR);
      reader.join();
    }
    close(socket);
    close(stop);
  }
};

// The reader's thread: blocks for bytes, so that a line's arrival is noted when it comes.
void Monitor::State::read_all() {
  std::string unread;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    std::array<pollfd, 2> waiting = {{{socket, POLLIN, 0}, {stop, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[1].revents != 0) return;
    if (waiting[0].revents == 0) continue;
    const ssize_t got = recv(socket, buffer.data(), buffer.size(), 0);
    const Instant arrived = host_now();
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    unread.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (auto end = unread.find("\r\n"); end != std::string::npos;
         end = unread.find("\r\n", begin)) {
      take(std::string_view(unread).substr(begin, end - begin), arrived);
      begin = end + 2;
    }
    unread.erase(0, begin);
  }
  const std::lock_guard lock(mutex);
  ended = host_now();
  changed.notify_all();
}

void Monitor::State::take(std::string_view line, Instant arrived) {
  const std::lock_guard lock(mutex);
  if (!confirmed) {
    confirmed = line == "+OK";
    if (!confirmed) malformed = line;
  } else if (auto parsed = parse_monitor_line(line.substr(line.empty() ? 0 : 1))) {
    parsed->arrived = arrived;
    if (is_marker(*parsed)) {
      last_marker = parsed->arguments[1];
    } else {
      lines.push_back(*std::move(parsed));
    }
  } else if (malformed.empty()) {
    malformed = line;
  }
  changed.notify_all();
}

Monitor::Monitor(const RedisProcess& server) : state_(std::make_unique<State>()) {
  state_->socket = connect_to(server.port());
  state_->stop = eventfd(0, EFD_CLOEXEC);
  if (state_->stop < 0) fail_with_errno("eventfd");
  constexpr std::string_view kCommand = "MONITOR\r\n";
  if (send(state_->socket, kCommand.data(), kCommand.size(), MSG_NOSIGNAL) < 0) {
    fail_with_errno("monitor of " + server.name());
  }
  state_->reader = std::thread([state = state_.get()] { state->read_all(); });
  std::unique_lock lock(state_->mutex);
  const auto told = [this] {
    return state_->confirmed || state_->ended || !state_->malformed.empty();
  };
  if (!state_->changed.wait_for(lock, 5s, told) || !state_->confirmed) {
    const std::string why = state_->malformed.empty() ? "no answer" : state_->malformed;
    lock.unlock();
    throw EnvironmentFailure("redis-server " + server.name() + " refuses MONITOR: " + why);
  }
}

Monitor::~Monitor() = default;

bool Monitor::catch_up(RedisProcess& server, Duration patience) {
  static std::atomic<std::uint64_t> number{0};
  const std::string marker = std::string(kMarker) + std::to_string(++number);
  server.ask({"ECHO", marker}, patience);
  std::unique_lock lock(state_->mutex);
  const auto told = [this, &marker] { return state_->last_marker == marker || state_->ended; };
  return state_->changed.wait_for(lock, patience, told) && state_->last_marker == marker;
}

std::vector<MonitorLine> Monitor::lines() const {
  const std::lock_guard lock(state_->mutex);
  return state_->lines;
}

std::optional<Instant> Monitor::ended() const {
  const std::lock_guard lock(state_->mutex);
  return state_->ended;
}

std::string Monitor::malformed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->malformed;
}

}  // namespace holdfast::live
