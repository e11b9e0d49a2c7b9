// Commands of the simulated redis-server per second. Frozen workloads: one watched lock key, a
// 32-byte token, the commands of the usual lock clients.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "sim/redis/server.h"

namespace {

using namespace holdfast;
using namespace holdfast::sim;

class LastReply : public ServerHost {
 public:
  void send_reply(SessionId, Reply reply) override { last = std::move(reply); }
  void send_push(SessionId, Reply) override {}
  void close_session(SessionId) override {}
  Duration replication_delay(history::NodeId, history::NodeId) override { return {}; }
  Reply last;
};

class CountingWatcher : public ServerWatcher {
 public:
  std::uint16_t watch(history::NodeId, std::string_view) override { return 1; }
  void key_set(const Key&, std::string_view) override { ++calls; }
  void key_ttl_changed(const Key&) override { ++calls; }
  void key_deleted(const Key&) override { ++calls; }
  void key_expired(const Key&) override { ++calls; }
  void key_revived(const Key&) override { ++calls; }
  void key_dropped(const Key&, history::DropCause) override { ++calls; }
  void list_appended(const Key&, std::string_view) override { ++calls; }
  void command_executed(const Key&, const Command&, bool) override { ++calls; }
  std::uint64_t calls = 0;
};

constexpr const char* kRelease =
    "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 "
    "end";
constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

class OneServer {
 public:
  OneServer() : server_(kernel_, host_, watcher_) { reset(); }
  void reset() {
    kernel_.reset(1);
    ServerOptions options;
    options.node = 1;
    server_.reset(options, Clock(std::chrono::seconds(1'700'000'000), 0));
    session_ = server_.open_session(1);
  }
  const Reply& call(const Command& command) {
    server_.receive(session_, command);
    return host_.last;
  }
  Command release() {
    const std::string sha = call(Command{"SCRIPT", "LOAD", kRelease}).text;
    return Command{"EVALSHA", sha, "1", "jobs/42", kToken};
  }

 private:
  Kernel kernel_;
  LastReply host_;
  CountingWatcher watcher_;
  RedisServer server_;
  SessionId session_ = 0;
};

const Command& acquire() {
  static const Command command{"SET", "jobs/42", kToken, "NX", "PX", "10000"};
  return command;
}

void redis_set_nx_px_held(benchmark::State& state) {
  OneServer server;
  for (auto _ : state) benchmark::DoNotOptimize(server.call(acquire()));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(redis_set_nx_px_held);

void redis_set_nx_px_and_del(benchmark::State& state) {
  OneServer server;
  const Command del{"DEL", "jobs/42"};
  for (auto _ : state) {
    server.call(acquire());
    benchmark::DoNotOptimize(server.call(del));
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(redis_set_nx_px_and_del);

void redis_get(benchmark::State& state) {
  OneServer server;
  server.call(acquire());
  const Command get{"GET", "jobs/42"};
  for (auto _ : state) benchmark::DoNotOptimize(server.call(get));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(redis_get);

void redis_evalsha_release_of_nothing(benchmark::State& state) {
  OneServer server;
  const Command release = server.release();
  for (auto _ : state) benchmark::DoNotOptimize(server.call(release));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(redis_evalsha_release_of_nothing);

void redis_lock_and_unlock(benchmark::State& state) {
  OneServer server;
  const Command release = server.release();
  for (auto _ : state) {
    server.call(acquire());
    if (!server.call(release).is_integer(1)) state.SkipWithError("the release missed");
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(redis_lock_and_unlock);

void redis_reset(benchmark::State& state) {
  OneServer server;
  for (auto _ : state) {
    server.reset();
    benchmark::DoNotOptimize(server.call(acquire()));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(redis_reset);

}  // namespace
