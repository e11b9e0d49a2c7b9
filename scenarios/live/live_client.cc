#include "scenarios/live/live_client.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <utility>

#include "lockcore/hiredis/event_loop.h"
#include "scenarios/format/parse.h"
#include "scenarios/format/scale.h"
#include "scenarios/live/client_events.h"
#include "scenarios/live/drifting_env.h"
#include "scenarios/live/key_prefix.h"
#include "scenarios/workload/client_program.h"
#include "scenarios/workload/guarded_resource.h"
#include "scenarios/workload/observer_bridge.h"

namespace holdfast::live {

using history::Kind;
using scenario::FaultSpec;
using scenario::Scenario;

namespace {

std::string read_line(int descriptor) {
  std::string line;
  char byte = 0;
  while (read(descriptor, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
  return line;
}

// True time is the host's CLOCK_BOOTTIME; the client's own clock may drift from it.
class LineRecorder final : public workload::Recorder {
 public:
  LineRecorder(EventLoop& loop, const DriftingEnv& env, int events, std::string_view key_prefix)
      : loop_(loop), env_(env), events_(events), key_prefix_(key_prefix) {}

  history::Nanos record(const workload::ClientEvent& event) override {
    ClientLine line;
    line.at = loop_.now().time_since_epoch().count();
    line.kind = event.kind;
    line.grant = event.grant;
    line.a = event.a;
    line.b = event.b;
    line.resource = event.resource;
    if (event.resource.starts_with(key_prefix_)) line.resource.erase(0, key_prefix_.size());
    line.token = event.token;
    put(line);
    return line.at;
  }
  history::Nanos true_time(Instant at) override {
    return env_.to_host(at).time_since_epoch().count();
  }
  void watch_valid_until(history::GrantId grant, std::string_view resource, Instant at) override {
    record({Kind::valid_until_reached, grant, resource, {}, true_time(at), kWatch});
  }
  void forget_valid_until(history::GrantId grant) override {
    record({Kind::valid_until_reached, grant, {}, {}, 0, kForget});
  }

 private:
  // One write(2) a line, below PIPE_BUF: never torn, never left in a buffer.
  void put(const ClientLine& line) {
    const std::string text = to_line(line);
    while (write(events_, text.data(), text.size()) < 0 && errno == EINTR) {
    }
  }

  EventLoop& loop_;
  const DriftingEnv& env_;
  int events_;
  std::string_view key_prefix_;  // histories do not show it
};

// Stops, kills or holds this process at the points that the scenario's faults name.
class PointWatch {
 public:
  PointWatch(const Scenario& scenario, const std::string& client, LineRecorder& recorder)
      : scenario_(scenario), client_(client), recorder_(recorder) {}

  bool pass(Point point) {
    const std::uint64_t nth = ++passes_[point];
    bool told = false;
    int signal_to_self = 0;
    for (const FaultSpec& fault : scenario_.faults) {
      const auto& on = fault.when.on;
      if (!on || on->client != client_ || on->point != point || on->nth != nth) continue;
      told = true;
      const bool own = fault.target == client_ && fault.when.after == Duration::zero();
      if (own && fault.kind == FaultSpec::Kind::pause) signal_to_self = SIGSTOP;
      if (own && fault.kind == FaultSpec::Kind::crash) signal_to_self = SIGKILL;
    }
    if (!told) return true;
    recorder_.record({Kind::point_passed,
                      0,
                      {},
                      {},
                      static_cast<std::int64_t>(point),
                      static_cast<std::int64_t>(nth)});
    if (signal_to_self != 0) {
      raise(signal_to_self);
    } else {
      char acknowledged = 0;
      const auto got = read(STDIN_FILENO, &acknowledged, 1);
      if (got != 1) _exit(3);  // the lab is gone
    }
    return true;
  }

 private:
  const Scenario& scenario_;
  const std::string& client_;
  LineRecorder& recorder_;
  std::map<Point, std::uint64_t> passes_;
};

workload::ClientSetup client_setup(const Scenario& scenario, const scenario::ClientSpec& client,
                                   const ClientOrders& orders, LineRecorder& recorder) {
  workload::ClientSetup setup{scenario,
                              client,
                              recorder,
                              orders.actor,
                              orders.incarnation,
                              {},
                              {std::string(workload::kGuardedServer)}};
  for (const auto& node : scenario.lock.nodes) setup.nodes.push_back({node});
  return setup;
}

Task<void> start_on_time(EventLoop& loop, workload::ClientProgram& program, Instant start,
                         Duration linger) {
  co_await Sleep(loop, start);
  co_await program.run();
  // Clean-up that the last calls left behind has its own budget.
  co_await Sleep(loop, loop.now() + linger);
}

}  // namespace

int run_live_client(int events) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto orders = parse_orders(read_line(STDIN_FILENO));
  if (!orders) return 2;
  auto parsed = scenario::parse_text(orders->scenario_text, orders->scenario_file);
  if (!std::holds_alternative<Scenario>(parsed)) return 2;
  const Scenario scenario = with_key_prefix(
      scenario::scaled(std::get<Scenario>(parsed), orders->scale), orders->key_prefix);

  EventLoop loop;
  for (const auto& address : orders->addresses)
    loop.name({address.name, address.host, address.port});
  const auto spec = std::find_if(scenario.clients.begin(), scenario.clients.end(),
                                 [&](const auto& one) { return one.name == orders->client; });
  if (spec == scenario.clients.end()) return 2;
  DriftingEnv env(loop, spec->clock_ppm, spec->wall_offset);
  LineRecorder recorder(loop, env, events, orders->key_prefix);
  PointWatch watch(scenario, orders->client, recorder);
  loop.on_pass([&](Point point) { return watch.pass(point); });
  const Instant start{Duration(orders->start_at)};
  workload::ClientProgram program(env, client_setup(scenario, *spec, *orders, recorder));
  const Duration linger = 4 * workload::node_deadline(scenario.lock.options);
  loop.run(start_on_time(loop, program, start, linger));
  return 0;
}

}  // namespace holdfast::live
