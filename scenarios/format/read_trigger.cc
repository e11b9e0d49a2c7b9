#include "scenarios/format/read_trigger.h"

#include <fmt/format.h>

#include <cmath>

#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

constexpr std::int64_t kMostPasses = 1'000'000;
constexpr double kPerMillion = 1e6;

// Why a client of this scenario can never pass `point`; empty when it can.
std::string never_passed(Point point, const Scenario& scenario) {
  const bool protocol = scenario.lock.algorithm == LockSpec::Algorithm::protocol;
  switch (point) {
    case Point::protocol_step:
      return protocol ? "" : "only a lock given as a protocol passes it";
    case Point::before_renew:
    case Point::renewed:
      return scenario.lock.options.watchdog ? "" : "there is no watchdog that renews";
    default:
      return "";
  }
}

Trigger::OnPoint read_on(const Value& value, const Scenario& scenario, Errors& errors) {
  Fields fields(value, keys::on_point, errors);
  Trigger::OnPoint on;
  fields.read("client", on.client);
  if (!on.client.empty()) {
    check_known(on.client, client_names(scenario), "client", fields.origin("client"), errors);
  }
  if (const Value* point = fields.find("point")) {
    const auto word = string_of(*point, "\"point\"", errors);
    const auto found = word ? point_words().find(*word) : std::nullopt;
    if (found) {
      on.point = *found;
      const std::string why = never_passed(*found, scenario);
      if (!why.empty()) {
        errors.add(point->origin, fmt::format("\"{}\" is never passed: {}", *word, why));
      }
    } else if (word) {
      check_known(*word, point_words().words(), "point", point->origin, errors);
    }
  }
  std::int64_t nth = 1;
  fields.read("nth", nth, 1, kMostPasses);
  on.nth = static_cast<std::uint64_t>(nth);
  return on;
}

void read_sometimes(Fields& fault, Trigger& trigger) {
  double probability = 0;
  fault.read("sometimes", probability, 0, 1);
  trigger.sometimes_ppm = static_cast<std::uint32_t>(std::lround(probability * kPerMillion));
  if (!fault.has("within")) {
    fault.error("sometimes",
                "\"sometimes\" needs \"within\", the time in which the fault may strike");
  }
  fault.read("within", trigger.within, Least::above_zero);
  if (fault.has("on")) {
    fault.error("on", "\"on\" contradicts \"sometimes\": a fault strikes at one of them");
  }
  if (!trigger.at) trigger.at = Duration::zero();
}

}  // namespace

Trigger read_trigger(Fields& fault, const Scenario& scenario) {
  Trigger trigger;
  fault.read("at", trigger.at, Least::zero);
  fault.read("after", trigger.after, Least::zero);
  if (fault.has("on")) trigger.on = read_on(*fault.find("on"), scenario, fault.errors());
  if (fault.has("sometimes")) {
    read_sometimes(fault, trigger);
  } else {
    if (fault.has("within")) {
      fault.error("within", "\"within\" has no meaning without \"sometimes\"");
    }
    if (fault.has("on") && fault.has("at")) {
      fault.error("at", "\"at\" contradicts \"on\": a fault strikes at one of them");
    }
    if (!fault.has("on") && !fault.has("at")) {
      fault.errors().add(fault.value().origin,
                         "this fault does not say when it strikes; expected \"at\", \"on\" or "
                         "\"sometimes\"");
    }
  }
  if (fault.has("after") && !fault.has("on")) {
    fault.error("after", "\"after\" counts from \"on\", which is not there; use \"at\"");
  }
  return trigger;
}

}  // namespace holdfast::scenario
