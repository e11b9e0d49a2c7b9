#include "scenarios/format/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/format/duration.h"

namespace holdfast::scenario {
namespace {

constexpr Duration kShortestLiveLease = std::chrono::seconds(1);
constexpr Duration kShortestWindow = std::chrono::milliseconds(100);

// In whole microseconds: nothing real is finer, and decimal factors stay readable.
Duration times(Duration duration, double scale) {
  const double micros = static_cast<double>(duration.count()) * scale / 1000.0;
  return std::chrono::microseconds(std::llround(micros));
}

void scale_in_place(Duration& duration, double scale) { duration = times(duration, scale); }
void scale_in_place(std::optional<Duration>& duration, double scale) {
  if (duration) *duration = times(*duration, scale);
}

// "Restarted 50 ms later" says "soon", and stays as it is.
void scale_if_long(Duration& duration, double scale) {
  if (duration > kShortestWindow) scale_in_place(duration, scale);
}

void scale_steps(std::vector<Step>& steps, double scale) {
  for (Step& step : steps) {
    scale_in_place(step.duration, scale);
    scale_in_place(step.wait, scale);
    scale_steps(step.steps, scale);
  }
}

void scale_lock(LockSpec& lock, double scale) {
  scale_in_place(lock.options.ttl, scale);
  scale_in_place(lock.options.wait, scale);
  scale_in_place(lock.options.retry, scale);
  scale_in_place(lock.options.max_hold, scale);
  scale_in_place(lock.options.min_hold, scale);
  if (lock.protocol) {
    scale_in_place(lock.protocol->lease, scale);
    scale_in_place(lock.protocol->every, scale);
  }
}

void scale_fault(FaultSpec& fault, double scale) {
  scale_in_place(fault.when.at, scale);
  scale_if_long(fault.when.after, scale);
  scale_in_place(fault.when.within, scale);
  scale_in_place(fault.duration, scale);
  if (fault.restart_after) scale_if_long(*fault.restart_after, scale);
  scale_in_place(fault.step, scale);
  scale_in_place(fault.by, scale);
}

// The shortest window that is forced and long enough to be shrunk.
class ShortestWindow {
 public:
  explicit ShortestWindow(const Scenario& scenario) {
    for (const FaultSpec& fault : scenario.faults) {
      take(fault.duration.value_or(Duration::zero()), fault.origin);
      take(fault.restart_after.value_or(Duration::zero()), fault.origin);
    }
    for (const ClientSpec& client : scenario.clients) take(client.steps);
  }
  Duration length() const { return length_; }
  const Origin& origin() const { return origin_; }

 private:
  void take(Duration duration, const Origin& origin) {
    if (duration <= kShortestWindow || duration >= length_) return;
    length_ = duration;
    origin_ = origin;
  }
  void take(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      take(step.duration, step.origin);
      take(step.steps);
    }
  }

  Duration length_ = kLongestDuration;
  Origin origin_ = {};
};

}  // namespace

bool counts_in_seconds(const Protocol& protocol) {
  for (const auto* steps : {&protocol.acquire, &protocol.renew, &protocol.release}) {
    for (const ProtocolStep& step : *steps) {
      if (std::find(step.send.begin(), step.send.end(), "$lease_s") != step.send.end()) return true;
    }
  }
  return false;
}

Scenario scaled(const Scenario& scenario, double scale) {
  Scenario result = scenario;
  scale_lock(result.lock, scale);
  for (ServerSpec& server : result.servers) scale_in_place(server.clock_offset, scale);
  for (ClientSpec& client : result.clients) {
    scale_in_place(client.wall_offset, scale);
    scale_steps(client.steps, scale);
  }
  for (FaultSpec& fault : result.faults) scale_fault(fault, scale);
  scale_in_place(result.until, scale);
  return result;
}

std::optional<ParseError> refuse_scale(const Scenario& scenario, double scale) {
  const LockSpec& lock = scenario.lock;
  if (!lock.options.node_deadline) {
    return ParseError{lock.origin, "a live run needs an explicit \"node_deadline\""};
  }
  const Duration lease = times(lock.options.ttl, scale);
  if (lease < kShortestLiveLease) {
    return ParseError{
        lock.origin, fmt::format("at scale {} the lease of {} becomes {}, which is shorter than 1s",
                                 scale, short_form(lock.options.ttl), short_form(lease))};
  }
  if (lock.protocol && counts_in_seconds(*lock.protocol) &&
      lease % std::chrono::seconds(1) != Duration::zero()) {
    return ParseError{
        lock.origin,
        fmt::format("at scale {} the lease becomes {}, and protocol \"{}\" counts in whole seconds",
                    scale, short_form(lease), lock.protocol->name)};
  }
  const ShortestWindow window(scenario);
  const Duration shrunk = times(window.length(), scale);
  if (shrunk < kShortestWindow) {
    return ParseError{
        window.origin(),
        fmt::format("at scale {} the window of {} becomes {}, which is shorter than 100ms", scale,
                    short_form(window.length()), short_form(shrunk))};
  }
  return std::nullopt;
}

}  // namespace holdfast::scenario
