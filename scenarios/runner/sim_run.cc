#include "scenarios/runner/sim_run.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/format/requires.h"
#include "scenarios/runner/cluster_plan.h"
#include "scenarios/runner/fault_schedule.h"
#include "scenarios/runner/history_writer.h"
#include "scenarios/runner/plan.h"
#include "scenarios/runner/sentinel_plan.h"
#include "scenarios/workload/client_program.h"
#include "scenarios/workload/guarded_resource.h"
#include "scenarios/workload/observer_bridge.h"
#include "sim/world.h"

namespace holdfast::runner {

using history::Event;
using history::Kind;
using scenario::Scenario;

namespace {

static_assert(
    static_cast<int>(scenario::RedisVersion::valkey_9) ==
    static_cast<int>(sim::RedisVersion::valkey_9));  // the same versions in the same order

constexpr std::uint32_t kValidUntilAction = 0x0a11d;
constexpr std::uint32_t kSettledAction = 0x0e2d;

sim::WorldPlan world_plan(const Scenario& scenario, const history::History& names) {
  sim::WorldPlan plan;
  const auto cluster = cluster_layout(scenario, address_by_name);
  for (const auto& spec : scenario.servers) {
    sim::NodePlan node;
    node.server.name = spec.name;
    node.server.node = static_cast<history::NodeId>(names.nodes.find(spec.name));
    node.server.persistence = static_cast<sim::Persistence>(spec.persistence);
    node.server.cluster = cluster;
    if (spec.version) node.server.version = static_cast<sim::RedisVersion>(*spec.version);
    node.replica_of = static_cast<history::NodeId>(
        spec.replica_of.empty() ? 0 : names.nodes.find(spec.replica_of));
    node.wall_offset = spec.clock_offset;
    node.wall_ppm = spec.clock_ppm;
    plan.nodes.push_back(std::move(node));
  }
  sim::NodePlan guarded;
  guarded.server.name = workload::kGuardedServer;
  guarded.server.node = static_cast<history::NodeId>(names.nodes.find(workload::kGuardedServer));
  plan.nodes.push_back(std::move(guarded));
  for (auto& sentinel : sentinel_plans(scenario, names)) plan.nodes.push_back(std::move(sentinel));
  for (const auto& spec : scenario.clients) {
    plan.clients.push_back({spec.name, static_cast<history::ActorId>(names.actors.find(spec.name)),
                            spec.wall_offset, spec.clock_ppm});
  }
  plan.latency = {scenario.latency.median, scenario.latency.p99};
  return plan;
}

}  // namespace

struct SimRun::Impl final : sim::ProcessHooks, FaultLog {
  explicit Impl(const Scenario& one)
      : scenario(one),
        writer((describe(one, "sim", history), history)),
        plan(world_plan(one, history)),
        world(writer, *this),
        faults(one, history, world, *this),
        endpoints(addresses(one)) {
    for (std::size_t i = 0; i < one.clients.size(); ++i) {
      clients.push_back(std::make_unique<Client>(*this, i));
    }
    for (const auto& require : one.requires_facts) {
      facts.push_back(std::get<scenario::Fact>(scenario::parse_fact(require.text)));
    }
  }

  // A client process as the run sees it; the Recorder of its program.
  struct Client final : workload::Recorder {
    Client(Impl& owner, std::size_t place)
        : run(owner), index(place), actor(static_cast<history::ActorId>(place + 1)) {}

    history::Nanos record(const workload::ClientEvent& event) override {
      Event full;
      full.kind = event.kind;
      full.actor = actor;
      full.grant = event.grant;
      full.resource = run.writer.resource(event.resource);
      full.token = event.token.empty() ? 0 : run.writer.token(event.token);
      full.a = event.a;
      full.b = event.b;
      run.writer.write(full);
      if (event.kind == Kind::client_done) {
        steps_over = true;
        finish();
      }
      return run.history.events.back().at;
    }
    history::Nanos true_time(Instant at) override {
      const sim::TrueTime now = run.world.kernel().now();
      const auto when = run.world.process(actor).monotonic().when(at.time_since_epoch(), now);
      return when ? when->time_since_epoch().count() : -1;
    }
    void watch_valid_until(history::GrantId grant, std::string_view resource, Instant at) override {
      std::uint32_t tag = 0;
      while (tag < watches.size() && watches[tag].grant != grant) ++tag;
      for (std::uint32_t i = 0; tag == watches.size() && i < watches.size(); ++i) {
        if (watches[i].grant == 0) tag = i;
      }
      if (tag == watches.size()) watches.emplace_back();
      watches[tag] = {grant, run.writer.resource(resource)};
      run.world.process(actor).watch_clock(tag, at,
                                           {&Client::reached, this, tag, kValidUntilAction});
    }
    void forget_valid_until(history::GrantId grant) override {
      for (std::uint32_t tag = 0; tag < watches.size(); ++tag) {
        if (watches[tag].grant != grant) continue;
        watches[tag] = {};
        run.world.process(actor).watch_clock(tag, Instant(), {});
      }
    }
    static void reached(void* self, std::uint64_t tag) {
      auto& client = *static_cast<Client*>(self);
      const Watch watch = std::exchange(client.watches[tag], Watch{});
      Event event;
      event.kind = Kind::valid_until_reached;
      event.actor = client.actor;
      event.grant = watch.grant;
      event.resource = watch.resource;
      client.run.writer.write(event);
    }
    void finish() {
      if (!done) run.close();
      done = true;
    }
    Task<void> program(Env& env) {
      if (std::exchange(done, false)) ++run.open;  // back after a crash
      steps_over = false;
      workload::ClientSetup setup{run.scenario,
                                  run.scenario.clients[index],
                                  *this,
                                  actor,
                                  ++incarnation,
                                  run.endpoints,
                                  {std::string(workload::kGuardedServer)}};
      // Nothing of an earlier incarnation runs any more: its frames are gone.
      running.emplace(env, std::move(setup));
      return running->run();
    }
    void begin() {
      done = steps_over = false;
      incarnation = 0;
      watches.clear();
      run.world.process(actor).start([this](Env& env) { return program(env); });
    }

    struct Watch {
      history::GrantId grant = 0;
      history::ResourceId resource = 0;
    };
    Impl& run;
    std::size_t index;
    history::ActorId actor;
    std::uint32_t incarnation = 0;
    bool done = false;        // or dead
    bool steps_over = false;  // its steps were run to their end
    std::vector<Watch> watches;
    std::optional<workload::ClientProgram> running;
  };

  // -- sim::ProcessHooks
  sim::AtPoint at_point(history::ActorId actor, Point point, std::uint64_t nth) override {
    return faults.at_point(actor, point, nth);
  }
  static std::int64_t lane_number(std::optional<Lane> lane) {
    if (!lane) return 0;
    return *lane == Lane::caller ? 1 : 2;
  }
  void paused(history::ActorId actor, std::optional<Lane> lane) override {
    record({.kind = Kind::process_paused, .actor = actor, .a = lane_number(lane)});
  }
  void resumed(history::ActorId actor, std::optional<Lane> lane) override {
    record({.kind = Kind::process_resumed, .actor = actor, .a = lane_number(lane)});
  }
  void crashed(history::ActorId actor) override {
    record({.kind = Kind::process_crashed, .actor = actor});
    auto& client = *clients[actor - 1U];
    client.watches.clear();
    client.finish();
  }

  // -- FaultLog
  void record(Event event) override { writer.write(event); }
  void fault_opened() override { ++open; }
  void fault_closed() override { close(); }
  bool client_done(history::ActorId actor) const override {
    return clients[actor - 1U]->steps_over;
  }

  // The run ends when all clients are done and all faults are over, after a time in which clean-up
  // and late packets can land.
  void close() {
    if (--open == 0) world.kernel().after(settle(), {&Impl::settled, this, 0, kSettledAction});
  }
  sim::Duration settle() const {
    return 4 * workload::node_deadline(scenario.lock.options) + std::chrono::seconds(1);
  }
  static void settled(void* self, std::uint64_t) {
    auto& run = *static_cast<Impl*>(self);
    if (run.open == 0) run.world.kernel().stop();
  }

  const judge::Judgement& run(std::uint64_t seed) {
    world.reset(plan, seed);
    history.setup.seed = seed;
    writer.begin(world.kernel());
    open = static_cast<std::int64_t>(clients.size());
    for (const auto& node : history.setup.nodes) {
      record({.kind = Kind::node_started, .node = node.node, .b = 1});
    }
    for (const Event& bent : clocks_at_start(scenario, history)) record(bent);
    faults.begin(seed);
    for (auto& client : clients) client->begin();
    const sim::TrueTime until(scenario.until);
    const auto end = world.kernel().run(until, kEventBudget);
    std::int64_t how = 1;
    if (end == sim::Kernel::End::until) how = 2;
    if (end == sim::Kernel::End::out_of_budget) how = 3;
    record({.kind = Kind::run_ended, .a = how});
    history.fingerprint = world.kernel().fingerprint();
    history.kernel_events = world.kernel().events();
    return judge.judge(history, unmet_requires());
  }

  std::string_view unmet_requires() {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (!scenario::occurred(facts[i], history)) return scenario.requires_facts[i].text;
    }
    return {};
  }

  const Scenario& scenario;
  history::History history;
  HistoryWriter writer;
  sim::WorldPlan plan;
  sim::World world;
  FaultSchedule faults;
  std::vector<Endpoint> endpoints;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<scenario::Fact> facts;  // what it requires; the texts were checked when it was read
  judge::Judge judge;
  std::int64_t open = 0;
};

SimRun::SimRun(const Scenario& scenario) : impl_(std::make_unique<Impl>(scenario)) {}
SimRun::~SimRun() = default;
const judge::Judgement& SimRun::run(std::uint64_t seed) { return impl_->run(seed); }
const history::History& SimRun::history() const { return impl_->history; }

}  // namespace holdfast::runner
