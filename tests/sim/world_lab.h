// WorldLab: a simulated world under test: clients whose programs are a few calls, a log of what
// came back, actions at given times.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/nobody_watches.h"
#include "sim/world.h"
#include "tests/sim/no_budget.h"

namespace holdfast::sim {

constexpr history::ActorId kA = 1, kB = 2;
constexpr history::NodeId kN1 = 1, kN2 = 2;

inline std::string describe(const Reply& reply) {
  if (reply.type == Reply::Type::integer) return std::to_string(reply.integer);
  if (reply.type == Reply::Type::nil) return "nil";
  return reply.text;
}
inline std::string describe(const CallResult& result) {
  const char* known = "";
  if (result.known == Known::not_executed) known = "not executed: ";
  if (result.known == Known::maybe_executed) known = "maybe executed: ";
  return known + describe(result.reply);
}

struct WorldLab : NobodyWatches, ProcessHooks {
  static WorldPlan two_and_two() {
    WorldPlan plan;
    plan.nodes.resize(2);
    plan.nodes[0].server.name = "n1";
    plan.nodes[0].server.node = kN1;
    plan.nodes[1].server.name = "n2";
    plan.nodes[1].server.node = kN2;
    plan.clients.resize(2);
    plan.clients[0].name = "A";
    plan.clients[0].actor = kA;
    plan.clients[1].name = "B";
    plan.clients[1].actor = kB;
    return plan;
  }

  explicit WorldLab(std::uint64_t seed = 1, const WorldPlan& plan = two_and_two()) {
    world.reset(plan, seed);
  }

  AtPoint at_point(history::ActorId, Point, std::uint64_t) override { return AtPoint::go_on; }
  void paused(history::ActorId, std::optional<Lane>) override { note("paused"); }
  void resumed(history::ActorId, std::optional<Lane>) override { note("resumed"); }
  void crashed(history::ActorId) override { note("crashed"); }

  void note(const std::string& what) {
    log.push_back(what);
    times.push_back(world.kernel().now().time_since_epoch());
  }
  Kernel::End run(Duration until = std::chrono::hours(1)) {
    return world.kernel().run(TrueTime(until), kNoBudget);
  }
  void at_time(Duration time, std::function<void()> action) {
    actions.push_back(std::make_unique<std::function<void()>>(std::move(action)));
    const auto call = [](void* self, std::uint64_t) {
      (*static_cast<std::function<void()>*>(self))();
    };
    world.kernel().at(TrueTime(time), {call, actions.back().get(), 0, 1000});
  }
  // `actor` calls `command` at `node` at `time` and notes "name: answer".
  void call_at(Duration time, history::ActorId actor, std::string name, std::string node,
               Command command, Duration patience) {
    at_time(time, [=, this] {
      Env& env = world.process(actor).env();
      env.spawn(one_call(env, *this, name, node, command, patience), Lane::caller);
    });
  }
  void start_both() {
    for (const history::ActorId actor : {kA, kB}) world.process(actor).start(&WorldLab::idle);
  }
  bool holds(history::NodeId node, std::string_view key, std::string_view value) {
    return world.server(node).holds(key, value);
  }

  static Task<void> idle(Env&) { co_return; }
  static Task<void> one_call(Env& env, WorldLab& lab, std::string name, std::string node,
                             Command command, Duration patience) {
    Endpoint endpoint;
    endpoint.name = node;
    const auto client = env.connect(endpoint, Role::commands);
    const Instant deadline = env.now() + patience;
    const CallResult result = co_await Call(*client, command, deadline);
    lab.note(name + ": " + describe(result));
  }

  std::vector<std::string> log;
  std::vector<Duration> times;  // of the log's entries
  std::vector<std::unique_ptr<std::function<void()>>> actions;
  World world{*this, *this};  // last: the frames that die with it may note something
};

using Log = std::vector<std::string>;

}  // namespace holdfast::sim
