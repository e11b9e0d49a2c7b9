// A fault in plain words, for reports: "pause A for 15 s when it passes before_write (2nd time)".
#include <fmt/format.h>

#include "scenarios/format/duration.h"
#include "scenarios/format/model.h"
#include "scenarios/format/spelling.h"

namespace holdfast::scenario {
namespace {

using FaultKind = FaultSpec::Kind;

std::string ordinal(std::uint64_t n) {
  const std::uint64_t tens = n % 100;
  const bool teens = tens >= 11 && tens <= 13;
  const std::uint64_t last = n % 10;
  const char* ending = teens ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return std::to_string(n) + ending;
}

std::string on_words(const FaultSpec& fault) {
  const Trigger::OnPoint& on = *fault.when.on;
  const std::string who = on.client == fault.target ? "it" : on.client;
  std::string words = fmt::format("when {} passes {}", who, point_words().word(on.point));
  if (on.nth > 1) words += fmt::format(" ({} time)", ordinal(on.nth));
  if (fault.when.after > Duration::zero()) {
    words = fmt::format("{} after {}", plain_words(fault.when.after), words.substr(5));
  }
  return words;
}

std::string when_words(const FaultSpec& fault) {
  const Trigger& when = fault.when;
  if (when.sometimes_ppm) {
    const double percent = static_cast<double>(*when.sometimes_ppm) / 1e4;
    const Duration from = when.at.value_or(Duration::zero());
    return fmt::format("in {:.4g} % of the runs, between {} and {}", percent, plain_words(from),
                       plain_words(from + when.within));
  }
  if (when.on) return on_words(fault);
  return "at " + plain_words(when.at.value_or(Duration::zero()));
}

std::string link_words(const FaultSpec& fault) {
  switch (fault.direction) {
    case FaultSpec::Direction::to_server:
      return fmt::format("from {} to {}", fault.target, fault.peer);
    case FaultSpec::Direction::to_client:
      return fmt::format("from {} to {}", fault.peer, fault.target);
    case FaultSpec::Direction::both:
      return fmt::format("between {} and {}", fault.target, fault.peer);
  }
  return {};
}

std::string keeping_words(const std::optional<Persistence>& persistence) {
  if (!persistence) return "";
  if (*persistence == Persistence::none) return " without persistence";
  return " with persistence " + persistence_words().word(*persistence);
}

std::string crash_words(const FaultSpec& fault) {
  std::string words = (fault.power_loss ? "cut the power of " : "crash ") + fault.target;
  if (fault.restart_after) {
    words += fmt::format(" and restart it{} {} later", keeping_words(fault.persistence),
                         plain_words(*fault.restart_after));
  }
  return words;
}

std::string clock_words(const FaultSpec& fault) {
  if (fault.freeze) return fmt::format("freeze the clock of {}", fault.target);
  if (fault.step) {
    const bool back = *fault.step < Duration::zero();
    return fmt::format("step the clock of {} {} by {}", fault.target, back ? "back" : "forward",
                       plain_words(back ? -*fault.step : *fault.step));
  }
  const std::int64_t rate = fault.rate_ppm.value_or(0);
  if (rate == 0) return fmt::format("let the clock of {} run at its true rate", fault.target);
  return fmt::format("let the clock of {} run {:.4g} % {}", fault.target,
                     static_cast<double>(rate < 0 ? -rate : rate) / 1e4,
                     rate < 0 ? "slow" : "fast");
}

std::string restart_words(const FaultSpec& fault) {
  std::string words = fmt::format("restart {}{}", fault.target, keeping_words(fault.persistence));
  if (!fault.replica_of.empty()) words += fmt::format(" as a replica of {}", fault.replica_of);
  return words;
}

std::string pause_words(const FaultSpec& fault) {
  if (!fault.lane) return "pause " + fault.target;
  return fmt::format("pause the {} of {}", lane_words().word(*fault.lane), fault.target);
}

std::string drop_words(const FaultSpec& fault) {
  const std::string replies =
      fault.count == 1 ? "the next reply" : fmt::format("the next {} replies", fault.count);
  return fmt::format("drop {} of {} to {}{}", replies, fault.peer, fault.target,
                     fault.then_reset ? " and reset the connection" : "");
}

std::string error_words(const FaultSpec& fault) {
  const std::string whom = fault.peer.empty() ? "" : " of " + fault.peer;
  return fmt::format("let {} answer {}{} with \"{}\"", fault.target,
                     fault.writes_only ? "the writes" : "all commands", whom, fault.text);
}

std::string what_words(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::pause:
      return pause_words(fault);
    case FaultKind::crash:
      return crash_words(fault);
    case FaultKind::restart:
      return restart_words(fault);
    case FaultKind::clock:
      return clock_words(fault);
    case FaultKind::cut:
      return fmt::format("{} what goes {}",
                         fault.mode == FaultSpec::Cut::hold ? "hold back" : "refuse",
                         link_words(fault));
    case FaultKind::reset:
      return fmt::format("reset the connections {}", link_words(fault));
    case FaultKind::delay:
      return fmt::format("delay what goes {} by {}", link_words(fault), plain_words(fault.by));
    case FaultKind::drop_reply:
      return drop_words(fault);
    case FaultKind::promote:
      return fmt::format("promote {} to master", fault.target);
    case FaultKind::evict:
      return fmt::format("evict {} from {}", fault.key, fault.target);
    case FaultKind::flush:
      return "flush " + fault.target;
    case FaultKind::error:
      return error_words(fault);
    case FaultKind::slow_fsync:
      return fmt::format("let each fsync of {} take {}", fault.target, plain_words(fault.by));
  }
  return {};
}

}  // namespace

std::string FaultSpec::describe() const {
  std::string words = what_words(*this);
  if (duration) words += " for " + plain_words(*duration);
  const bool clause = restart_after.has_value();  // "... 3 s later, when ..."
  return words + (clause ? ", " : " ") + when_words(*this);
}

}  // namespace holdfast::scenario
