#include "scenarios/live/live_run.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "scenarios/format/requires.h"
#include "scenarios/format/scale.h"
#include "scenarios/live/client_process.h"
#include "scenarios/live/environment_failure.h"
#include "scenarios/live/existing_servers.h"
#include "scenarios/live/lab.h"
#include "scenarios/live/live_faults.h"
#include "scenarios/live/live_history.h"
#include "scenarios/runner/plan.h"
#include "scenarios/workload/observer_bridge.h"

namespace holdfast::live {

using history::Event;
using history::Kind;
using scenario::Scenario;
using namespace std::chrono_literals;

namespace {

// Time for the client processes to start and connect before the scenario's time begins.
constexpr Duration kWarmUp = 400ms;
// How far the lab may lag behind what it times: the tolerance for "told by the first step".
constexpr Duration kSlack = 250ms;
// The lab looks after its processes at least this often.
constexpr Duration kLookAround = 20ms;

class LiveRun {
 public:
  LiveRun(const Scenario& original, const Scenario& scenario, const LiveOptions& options,
          history::History& history, const ExistingServers* existing,
          const std::atomic<bool>& interrupted)
      : original_(original),
        scenario_(scenario),
        options_(options),
        history_(history),
        existing_(existing),
        interrupted_(interrupted),
        lab_(existing == nullptr ? Lab(scenario, history) : Lab(scenario, history, *existing)),
        start_(host_now() + kWarmUp),
        record_(history, start_),
        faults_(scenario, lab_, record_, history,
                {[this](const std::string& name) { return running(name); },
                 [this](const std::string& name) { start_client(name, host_now()); },
                 [this](const std::string& name) { return done(name); }}) {}

  void run() {
    for (const auto& node : history_.setup.nodes) {
      Event event;
      event.kind = Kind::node_started;
      event.node = node.node;
      event.b = 1;
      record_.add(start_, event);
    }
    for (const Event& bent : runner::clocks_at_start(scenario_, history_)) {
      record_.add(start_, bent);  // no history begins before zero
    }
    faults_.begin(start_, options_.seed);
    for (const auto& client : scenario_.clients) start_client(client.name, start_);
    const std::int64_t how = loop();
    faults_.look_for_proofs();
    clients_.clear();
    const Instant end = host_now();
    lab_.tell(record_, end);
    record_.finish(end, how);
  }

 private:
  ClientProcess* running(const std::string& name) {
    for (auto& client : clients_) {
      if (client->name() == name && client->process().running()) return client.get();
    }
    return nullptr;
  }

  bool done(const std::string& name) {
    const auto last = std::find_if(clients_.rbegin(), clients_.rend(),
                                   [&](const auto& client) { return client->name() == name; });
    return last != clients_.rend() && (*last)->done();
  }

  void start_client(const std::string& name, Instant start) {
    ClientOrders orders;
    orders.scenario_text = original_.text;
    orders.scenario_file = original_.file;
    orders.scale = options_.scale;
    orders.client = name;
    orders.actor = static_cast<history::ActorId>(history_.actors.find(name));
    orders.start_at = start.time_since_epoch().count();
    orders.addresses = lab_.addresses(name);
    if (existing_ != nullptr) orders.key_prefix = existing_->key_prefix();
    for (const auto& client : clients_) {
      if (client->name() == name) orders.incarnation = client->incarnation() + 1;
    }
    clients_.push_back(std::make_unique<ClientProcess>(orders, lab_.folder() / (name + ".log")));
  }

  // How the run ended: 1 all done, 2 at `until`.
  std::int64_t loop() {
    const Instant until = start_ + scenario_.until;
    while (!interrupted_) {
      faults_.run_due(host_now());
      wait_for_something(until);
      read_lines();
      if (const auto how = lab_.died()) throw EnvironmentFailure(*how);
      if (all_done() && faults_.over()) return 1;
      if (host_now() >= until) return 2;
    }
    throw EnvironmentFailure("interrupted");
  }

  void wait_for_something(Instant until) {
    std::vector<pollfd> descriptors;
    for (const auto& client : clients_) {
      if (client->events() >= 0) descriptors.push_back({client->events(), POLLIN, 0});
    }
    const Instant now = host_now();
    const Instant wake = std::min({until, now + kLookAround, faults_.next().value_or(until)});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - now).count();
    poll(descriptors.data(), descriptors.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
  }

  void read_lines() {
    // A restart on a client's own point adds a client while the list is walked.
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      ClientProcess& client = *clients_[i];
      for (const ClientLine& line : client.lines()) {
        record_.add(client.actor(), line);
        if (line.kind != Kind::point_passed) continue;
        const Instant at{Duration(line.at)};
        faults_.on_point(client, static_cast<Point>(line.a), static_cast<std::uint64_t>(line.b),
                         at);
      }
    }
  }

  // Every client has ended: by itself when its steps were over, or by a fault.
  bool all_done() {
    for (auto& client : clients_) {
      if (client->process().running() || client->events() >= 0) return false;
      const auto code = client->process().exit_code();
      if (code && (*code != 0 || !client->done())) {
        throw EnvironmentFailure("client " + client->name() +
                                 " ended by itself: " + client->process().how());
      }
    }
    return true;
  }

  const Scenario& original_;
  const Scenario& scenario_;
  const LiveOptions& options_;
  history::History& history_;
  const ExistingServers* existing_;  // null: the lab starts its own
  const std::atomic<bool>& interrupted_;
  Lab lab_;
  Instant start_;
  LiveHistory record_;
  std::vector<std::unique_ptr<ClientProcess>> clients_;
  LiveFaults faults_;
};

void note_failure(LiveResult& result, const std::string& why) {
  result.environment_failure = why;
  Event event;
  event.kind = Kind::environment_failed;
  if (!result.history.events.empty()) event.at = result.history.events.back().at;
  result.history.notes.push_back(why);
  event.note = static_cast<std::uint32_t>(result.history.notes.size() - 1);
  result.history.events.push_back(event);
}

}  // namespace

LiveResult run_live(const Scenario& scenario, const LiveOptions& options,
                    const std::atomic<bool>& interrupted) {
  LiveResult result;
  const Scenario fitted = scenario::scaled(scenario, options.scale);
  runner::describe(fitted, "live", result.history);
  result.history.setup.seed = options.seed;
  result.history.setup.scale = options.scale;
  result.history.setup.slack = kSlack.count();
  std::string unmet;
  try {
    std::optional<ExistingServers> existing;
    if (!options.redis.empty()) existing.emplace(fitted, options.redis);
    LiveRun run(scenario, fitted, options, result.history, existing ? &*existing : nullptr,
                interrupted);
    run.run();
    for (const auto& require : fitted.requires_facts) {
      if (unmet.empty() && !scenario::occurred(require, result.history)) unmet = require.text;
    }
  } catch (const EnvironmentFailure& failure) {
    note_failure(result, failure.what());
  }
  judge::Judge judge;
  result.judgement = judge.judge(result.history, unmet);
  return result;
}

}  // namespace holdfast::live
