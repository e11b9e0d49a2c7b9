#include "sim/fake_redis.h"

#include <stdexcept>
#include <string>

#include "sim/redis/nobody_watches.h"
#include "sim/world.h"

namespace holdfast::sim {
namespace {

constexpr history::NodeId kNode = 1;
constexpr history::ActorId kTest = 1;
constexpr std::uint64_t kMostEvents = 10'000'000;
constexpr Duration kPatience = std::chrono::minutes(1);

WorldPlan plan(RedisVersion version) {
  WorldPlan plan;
  plan.nodes.resize(1);
  plan.nodes[0].server.name = FakeRedis::kName;
  plan.nodes[0].server.node = kNode;
  plan.nodes[0].server.version = version;
  plan.clients.push_back({"test", kTest});
  plan.latency = {Duration::zero(), Duration::zero()};
  return plan;
}

Task<void> nothing() { co_return; }

Task<void> note_end(Task<void> task, bool& done) {
  co_await std::move(task);
  done = true;
}

Task<Reply> ask(std::shared_ptr<RedisClient> client, Command command, Instant deadline) {
  auto result = co_await Call(*client, std::move(command), deadline);
  co_return std::move(result.reply);
}

}  // namespace

struct FakeRedis::State final : NobodyWatches, ProcessHooks {
  explicit State(RedisVersion version) : world(*this, *this) {
    world.reset(plan(version), 1);
    world.process(kTest).start([](Env&) { return nothing(); });
  }

  AtPoint at_point(history::ActorId, Point, std::uint64_t) override { return AtPoint::go_on; }
  void paused(history::ActorId, std::optional<Lane>) override {}
  void resumed(history::ActorId, std::optional<Lane>) override {}
  void crashed(history::ActorId) override {}

  World world;
};

FakeRedis::FakeRedis(RedisVersion version) : state_(std::make_unique<State>(version)) {}
FakeRedis::~FakeRedis() = default;

Env& FakeRedis::env() { return state_->world.process(kTest).env(); }
RedisServer& FakeRedis::server() { return state_->world.server(kNode); }

std::shared_ptr<RedisClient> FakeRedis::client() {
  return env().connect({std::string(kName)}, Role::commands);
}

Reply FakeRedis::call(Command command) {
  return run(ask(client(), std::move(command), env().now() + kPatience));
}

void FakeRedis::advance(Duration by) {
  Kernel& kernel = state_->world.kernel();
  kernel.advance(kernel.now() + by);
}

void FakeRedis::spawn(Task<void> task) { env().spawn(std::move(task), Lane::caller); }

void FakeRedis::run(Task<void> task) {
  bool done = false;
  spawn(note_end(std::move(task), done));
  run_until([&done] { return done; });
}

void FakeRedis::run_until(const std::function<bool()>& done) {
  Kernel& kernel = state_->world.kernel();
  for (std::uint64_t events = 0; !done(); ++events) {
    const Kernel::End end = kernel.run(TrueTime::max(), 1);
    if ((end == Kernel::End::idle && !done()) || events == kMostEvents) {
      throw std::logic_error("the coroutine waits for what will never come");
    }
  }
}

}  // namespace holdfast::sim
