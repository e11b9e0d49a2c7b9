// LockLab: the lock core in the simulated world: clients that take the lock, hold it and release it
// by a plan, faults at given times or at points that a client passes, and everything recorded:
// what the observers were told, what the servers executed, what the calls returned.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/lock.h"
#include "lockcore/scripts.h"
#include "sim/redis/nobody_watches.h"
#include "sim/world.h"

namespace holdfast::test {

using namespace std::chrono_literals;
using sim::AtPoint;
using sim::CutMode;
using sim::Direction;
using Kind = LockEvent::Kind;

inline constexpr history::ActorId kA = 1, kB = 2, kC = 3;
inline constexpr history::NodeId kN1 = 1, kN2 = 2, kN3 = 3, kN4 = 4, kN5 = 5;
inline constexpr const char* kLock = "jobs/42";

struct SeenEvent {
  Kind kind;
  Duration when;  // true time
  std::string token;
  std::size_t node;
  bool yes, renewal, cleanup;
  Duration left;  // valid_until - at
  std::int64_t fence;
  AcquireOutcome acquire;
  ReleaseOutcome release;
  LossReason loss;
  std::string text;
};

// What one node executed of the lock's commands.
struct Executed {
  history::NodeId node;
  history::ActorId actor;
  Duration when;
  std::string verb;  // SET, or acquire, extend, release for the scripts
  std::string token;
  bool changed;
};

// What one client does.
struct UsePlan {
  Duration start = 0s;
  LockOptions options = {};
  Duration work = 1s;
  bool obey_loss = false;   // leave when the lock is lost
  bool check_held = false;  // ask held() every 100 ms of true work
  bool release = true;
  int times = 1;
  bool warm = false;  // opens the shared connections first
  std::stop_token stop = {};
};
struct Use {
  std::optional<AcquireResult> acquired;
  Duration acquired_at{}, called_at{};
  std::optional<ReleaseOutcome> released;
  Duration release_called_at{}, released_at{};
  std::optional<Duration> left_at;  // work ended early because of a loss
  std::vector<std::pair<Duration, bool>> held;
  bool ok() const { return acquired && acquired->outcome == AcquireOutcome::acquired; }
  AcquireOutcome outcome() const { return acquired ? acquired->outcome : AcquireOutcome::invalid; }
};

class LockLab;

class Client final : public Observer {
 public:
  Client(LockLab& lab, history::ActorId actor) : lab_(lab), actor_(actor) {}
  void on_event(const LockEvent& event) override;

  std::vector<SeenEvent> events;
  std::vector<Use> uses;

  std::vector<SeenEvent> all(Kind kind) const {
    std::vector<SeenEvent> found;
    for (const auto& event : events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  std::size_t count(Kind kind) const { return all(kind).size(); }
  // The kinds in the order in which they were told, without node_answered.
  std::vector<Kind> story() const {
    std::vector<Kind> kinds;
    for (const auto& event : events) {
      if (event.kind != Kind::node_answered) kinds.push_back(event.kind);
    }
    return kinds;
  }
  const Use& use(std::size_t index = 0) const { return uses.at(index); }

 private:
  friend class LockLab;
  LockLab& lab_;
  history::ActorId actor_;
};

class LockLab : sim::NobodyWatches, sim::ProcessHooks {
 public:
  // Lock nodes n1.. (the first `replicas_of_n1` further nodes replicate n1 and take no part).
  explicit LockLab(std::size_t lock_nodes, std::size_t replicas_of_n1 = 0, std::uint64_t seed = 1)
      : endpoints_(lock_nodes) {
    sim::WorldPlan plan;
    plan.nodes.resize(lock_nodes + replicas_of_n1);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
      plan.nodes[i].server.name = "n" + std::to_string(i + 1);
      plan.nodes[i].server.node = static_cast<history::NodeId>(i + 1);
      if (i >= lock_nodes) plan.nodes[i].replica_of = 1;
      if (i < lock_nodes) endpoints_[i].name = plan.nodes[i].server.name;
    }
    for (history::ActorId actor : {kA, kB, kC}) {
      sim::ClientPlan client;
      client.name = std::string(1, static_cast<char>('A' + actor - 1));
      client.actor = actor;
      plan.clients.push_back(client);
    }
    world.reset(plan, seed);
  }

  // `client` plays `plan` from the beginning of its process on.
  void play(Client& client, UsePlan plan) {
    world.process(client.actor_).start([this, &client, plan](Env& env) {
      return use_lock(env, *this, client, plan);
    });
  }
  void at(Duration time, std::function<void()> action) {
    schedule(sim::TrueTime(time), std::move(action));
  }
  // What happens at the nth passing of a point: an answer for the process, and more if wanted.
  void on_point(history::ActorId actor, Point point, std::uint64_t nth,
                std::function<AtPoint()> reaction) {
    reactions_.push_back({actor, point, nth, std::move(reaction)});
  }
  void pause_at(history::ActorId actor, Point point, std::uint64_t nth, Duration length) {
    on_point(actor, point, nth, [this, actor, length] {
      schedule(world.kernel().now() + length,
               [this, actor] { world.process(actor).resume(std::nullopt); });
      return AtPoint::pause;
    });
  }
  void run(Duration until = 120s) { world.kernel().run(sim::TrueTime(until), ~std::uint64_t{0}); }
  Duration now() { return world.kernel().now().time_since_epoch(); }

  // A node at which another owner holds the lock for as long as anybody looks.
  void occupy(history::NodeId node) { set_key(node, "somebody-else:1"); }
  void set_key(history::NodeId node, std::string value) {
    Command set = {"SET", kLock, value};
    world.server(node).receive(world.server(node).open_session(9), std::move(set));
  }
  bool holds(history::NodeId node, const std::string& token) {
    return world.server(node).holds(kLock, token);
  }
  std::size_t nodes_holding(const std::string& token) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) {
      if (holds(static_cast<history::NodeId>(i + 1), token)) ++count;
    }
    return count;
  }
  std::size_t executed_count(std::string_view verb, history::ActorId actor) const {
    std::size_t count = 0;
    for (const auto& one : executed) {
      if (one.verb == verb && one.actor == actor) ++count;
    }
    return count;
  }
  const std::vector<Endpoint>& endpoints() const { return endpoints_; }

  std::vector<Executed> executed;
  sim::World world{*this, *this};
  Client a{*this, kA}, b{*this, kB}, c{*this, kC};

 private:
  struct Reaction {
    history::ActorId actor;
    Point point;
    std::uint64_t nth;
    std::function<AtPoint()> react;
  };

  static Task<void> use_lock(Env& env, LockLab& lab, Client& client, UsePlan plan);
  static Task<void> work(Env& env, LockLab& lab, std::shared_ptr<Lease> lease, UsePlan plan,
                         Use& use);

  void schedule(sim::TrueTime time, std::function<void()> action) {
    actions_.push_back(std::make_unique<std::function<void()>>(std::move(action)));
    const auto run_action = [](void* self, std::uint64_t) {
      (*static_cast<std::function<void()>*>(self))();
    };
    world.kernel().at(time, {run_action, actions_.back().get(), 0, 1000});
  }

  AtPoint at_point(history::ActorId actor, Point point, std::uint64_t nth) override {
    for (auto& reaction : reactions_) {
      if (reaction.actor == actor && reaction.point == point && reaction.nth == nth) {
        return reaction.react();
      }
    }
    return AtPoint::go_on;
  }
  void paused(history::ActorId, std::optional<Lane>) override {}
  void resumed(history::ActorId, std::optional<Lane>) override {}
  void crashed(history::ActorId) override {}

  std::uint16_t watch(history::NodeId, std::string_view key) override {
    return key == kLock ? 1 : 0;
  }
  void command_executed(const Key& key, const Command& command, bool changed) override;

  std::vector<Endpoint> endpoints_;
  std::vector<std::set<std::string>> scripts_seen_ = std::vector<std::set<std::string>>(16);
  std::vector<Reaction> reactions_;
  std::vector<std::unique_ptr<std::function<void()>>> actions_;
};

inline void Client::on_event(const LockEvent& event) {
  events.push_back({event.kind, lab_.now(), std::string(event.token), event.node, event.yes,
                    event.renewal, event.cleanup, event.valid_until - event.at, event.fencing_token,
                    event.acquire_outcome, event.release_outcome, event.loss_reason,
                    std::string(event.text)});
}

inline Task<void> LockLab::work(Env& env, LockLab& lab, std::shared_ptr<Lease> lease, UsePlan plan,
                                Use& use) {
  const Instant end = env.now() + plan.work;
  if (plan.check_held) {
    while (env.now() < end) {
      const Instant next = std::min(end, env.now() + 100ms);
      co_await Sleep(env, next);
      use.held.emplace_back(lab.now(), lease->held());
    }
  } else if (plan.obey_loss) {
    const bool lost = co_await lease->lost_or(end);
    if (lost) use.left_at = lab.now();
  } else {
    co_await Sleep(env, end);
  }
}

inline Task<void> LockLab::use_lock(Env& env, LockLab& lab, Client& client, UsePlan plan) {
  LockClient locks(env, lab.endpoints(), client);
  const Instant start = env.now() + plan.start;
  if (plan.warm) {
    for (const auto& endpoint : lab.endpoints()) {
      const auto connection = env.connect(endpoint, Role::commands);
      const Instant soon = env.now() + 1s;
      Command ping = {"PING"};
      co_await Call(*connection, std::move(ping), soon);
    }
  }
  co_await Sleep(env, start);
  client.uses.reserve(static_cast<std::size_t>(plan.times));
  for (int time = 0; time < plan.times; ++time) {
    Use& use = client.uses.emplace_back();
    use.called_at = lab.now();
    const std::string key = kLock;
    AcquireResult result = co_await locks.acquire(key, plan.options, plan.stop);
    use.acquired_at = lab.now();
    std::shared_ptr<Lease> lease = result.lease;
    use.acquired = std::move(result);
    if (!lease) continue;
    co_await work(env, lab, lease, plan, use);
    if (!plan.release) {
      use.acquired->lease = nullptr;
      lease = nullptr;
      continue;
    }
    use.release_called_at = lab.now();
    use.released = co_await lease->release();
    use.released_at = lab.now();
  }
}

inline void LockLab::command_executed(const Key& key, const Command& command, bool changed) {
  Executed one = {key.node, key.actor, now(), std::string(command[0]), {}, changed};
  if (one.verb == "SET") one.token = command[2];
  if (one.verb.starts_with("EVAL")) {
    const std::string_view script = command[1];
    const std::size_t first = 3 + static_cast<std::size_t>(command[2][0] - '0');
    one.token = command[first];
    const auto is = [&](const Script& known) {
      return script == known.sha1 || script == known.source;
    };
    // An EVALSHA of a script that the node has not seen yet is refused, not executed.
    auto& seen = scripts_seen_[key.node - 1U];
    const bool by_sha1 = one.verb == "EVALSHA";
    const std::string name(script.substr(0, 40));
    if (by_sha1 && !seen.contains(name)) return;
    if (is(kAcquireScript)) one.verb = "acquire";
    if (is(kExtendScript)) one.verb = "extend";
    if (is(kReleaseScript)) one.verb = "release";
    for (const Script* known : {&kAcquireScript, &kExtendScript, &kReleaseScript}) {
      if (script == known->source) seen.insert(std::string(known->sha1));
    }
  }
  executed.push_back(std::move(one));
}

}  // namespace holdfast::test
