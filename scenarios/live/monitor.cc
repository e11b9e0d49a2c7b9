#include "scenarios/live/monitor.h"

#include <fcntl.h>
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
#include "scenarios/live/key_prefix.h"
#include "scenarios/live/proof.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kMarker = "holdfast-monitor-catch-up-";

bool is_marker(const MonitorLine& line) {
  return line.arguments.size() == 2 && line.arguments[0] == "ECHO" &&
         line.arguments[1].starts_with(kMarker);
}

std::string new_marker() {
  static std::atomic<std::uint64_t> number{0};
  return std::string(kMarker) + std::to_string(++number);
}

int connect_to(const std::string& name, const SocketAddress& address) {
  const int fd = socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail_with_errno("socket");
  if (connect(fd, address.get(), address.length) != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    fail_with_errno("monitor: cannot connect to " + name);
  }
  return fd;
}

}  // namespace

struct Monitor::State {
  int socket = -1;
  int stop = -1;  // eventfd: the reader shall end
  std::string key_prefix;
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
    } else if (key_prefix.empty() || take_prefix_away(*parsed, key_prefix)) {
      lines.push_back(*std::move(parsed));
    }
  } else if (malformed.empty()) {
    malformed = line;
  }
  changed.notify_all();
}

Monitor::Monitor(const RedisProcess& server)
    : Monitor(server.name(), SocketAddress::loopback(server.port()), {}) {}

Monitor::Monitor(std::string name, const SocketAddress& server, std::string key_prefix)
    : state_(std::make_unique<State>()) {
  state_->key_prefix = std::move(key_prefix);
  state_->socket = connect_to(name, server);
  state_->stop = eventfd(0, EFD_CLOEXEC);
  if (state_->stop < 0) fail_with_errno("eventfd");
  constexpr std::string_view kCommand = "MONITOR\r\n";
  if (send(state_->socket, kCommand.data(), kCommand.size(), MSG_NOSIGNAL) < 0) {
    fail_with_errno("monitor of " + name);
  }
  state_->reader = std::thread([state = state_.get()] { state->read_all(); });
  std::unique_lock lock(state_->mutex);
  const auto told = [this] {
    return state_->confirmed || state_->ended || !state_->malformed.empty();
  };
  if (!state_->changed.wait_for(lock, 5s, told) || !state_->confirmed) {
    const std::string why = state_->malformed.empty() ? "no answer" : state_->malformed;
    lock.unlock();
    throw EnvironmentFailure("redis-server " + name + " refuses MONITOR: " + why);
  }
}

Monitor::~Monitor() = default;

bool Monitor::catch_up(RedisProcess& server, Duration patience) {
  const std::string marker = new_marker();
  server.ask({"ECHO", marker}, patience);
  return wait_for(marker, patience);
}

bool Monitor::catch_up(CommandConnection& server, Duration patience) {
  const std::string marker = new_marker();
  return server.try_ask({"ECHO", marker}, patience) && wait_for(marker, patience);
}

bool Monitor::wait_for(const std::string& marker, Duration patience) {
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
