#include "lockcore/hiredis/event_loop.h"

#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockcore/hiredis/connection.h"
#include "lockcore/hiredis/loop_core.h"
#include "lockcore/hiredis/sigpipe_guard.h"
#include "lockcore/scope.h"

namespace holdfast {

struct EventLoop::State {
  // A shared connection is the same for the same role and address.
  using SharedBy = std::tuple<Role, std::string, std::uint16_t, std::string>;

  detail::LoopCore core;
  std::map<std::string, Endpoint> names;
  std::map<SharedBy, std::shared_ptr<detail::Connection>> shared;
  std::vector<std::weak_ptr<detail::Connection>> exclusive;
  std::function<bool(Point)> on_pass;
  Scope scope;

  explicit State(Env& env) : scope(env) {}
  Endpoint resolve(const Endpoint& endpoint) const;
  std::shared_ptr<detail::Connection> open_exclusive(Endpoint endpoint);
};

Endpoint EventLoop::State::resolve(const Endpoint& endpoint) const {
  if (!endpoint.host.empty() || !endpoint.unix_path.empty()) return endpoint;
  const auto known = names.find(endpoint.name);
  if (known != names.end()) return known->second;
  constexpr std::uint16_t kRedisPort = 6379;
  return {endpoint.name, endpoint.name, endpoint.port == 0 ? kRedisPort : endpoint.port, {}};
}

std::shared_ptr<detail::Connection> EventLoop::State::open_exclusive(Endpoint endpoint) {
  std::erase_if(exclusive, [](const auto& connection) { return connection.expired(); });
  auto connection = detail::Connection::open(core, std::move(endpoint));
  exclusive.push_back(connection);
  return connection;
}

EventLoop::EventLoop() : state_(std::make_unique<State>(*this)) {}

EventLoop::~EventLoop() {
  state_->scope.clear();
  for (const auto& entry : state_->shared) entry.second->close();
  for (const auto& weak : state_->exclusive) {
    if (const auto connection = weak.lock()) connection->close();
  }
}

Instant EventLoop::now() { return detail::boottime_now(); }

WallInstant EventLoop::wall_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return WallInstant(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

void EventLoop::arm(Timer& timer, Instant at) {
  timer.armed = true;
  const auto key = state_->core.at(at, [&timer] {
    timer.armed = false;
    resume(timer.waiting);
  });
  timer.world[0] = static_cast<std::uint64_t>(key.at.time_since_epoch().count());
  timer.world[1] = key.sequence;
}

void EventLoop::disarm(Timer& timer) noexcept {
  if (!std::exchange(timer.armed, false)) return;
  detail::LoopCore::Key key{Instant(Duration(static_cast<std::int64_t>(timer.world[0]))),
                            timer.world[1]};
  state_->core.cancel(key);
}

void EventLoop::spawn(Task<void> task, Lane lane) { state_->scope.spawn(std::move(task), lane); }

void EventLoop::random(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got > 0) {
      out = out.subspan(static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      std::perror("holdfast: getrandom");
      std::abort();
    }
  }
}

std::shared_ptr<RedisClient> EventLoop::connect(const Endpoint& endpoint, Role role) {
  Endpoint address = state_->resolve(endpoint);
  if (role == Role::exclusive) return state_->open_exclusive(std::move(address));
  auto& connection = state_->shared[{role, address.host, address.port, address.unix_path}];
  if (!connection || connection->closed()) {
    connection = detail::Connection::open(state_->core, std::move(address));
  }
  return connection;
}

bool EventLoop::pass(Point point) { return !state_->on_pass || state_->on_pass(point); }

void EventLoop::name(Endpoint endpoint) {
  std::string key = endpoint.name;
  state_->names.insert_or_assign(std::move(key), std::move(endpoint));
}

void EventLoop::on_pass(std::function<bool(Point)> hook) { state_->on_pass = std::move(hook); }

void EventLoop::run() {
  const detail::SigpipeGuard no_sigpipe;
  state_->core.run([this] { return state_->scope.size() == 0; });
}

namespace {

Task<void> tell_when_done(Task<void> task, std::shared_ptr<bool> done) {
  co_await task;
  *done = true;
}

}  // namespace

void EventLoop::run(Task<void> task) {
  const detail::SigpipeGuard no_sigpipe;
  const auto done = std::make_shared<bool>(false);
  spawn(tell_when_done(std::move(task), done), Lane::caller);
  state_->core.run([done] { return *done; });
}

void EventLoop::stop() { state_->core.stop(); }

void EventLoop::post(std::function<void()> action) { state_->core.post(std::move(action)); }

}  // namespace holdfast
