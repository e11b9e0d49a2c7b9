#include "reports/explain_words.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace holdfast::report {
namespace {

using history::Nanos;

// value / unit with `digits` decimals and without trailing zeros, in integers.
std::string trimmed(Nanos value, Nanos unit, int digits, std::string_view suffix) {
  Nanos step = unit;
  for (int i = 0; i < digits; ++i) step /= 10;
  const Nanos rounded = (value + step / 2) / step * step;
  std::string text = fmt::format("{}", rounded / unit);
  Nanos rest = rounded % unit;
  if (rest != 0) {
    std::string decimals;
    for (int i = 0; i < digits && rest != 0; ++i) {
      rest *= 10;
      decimals += static_cast<char>('0' + rest / unit);
      rest %= unit;
    }
    text += "." + decimals;
  }
  return fmt::format("{} {}", text, suffix);
}

std::string named(const history::Names& names, std::uint32_t id) {
  if (id == 0 || id >= names.size()) return "?";
  return names[id];
}

template <std::size_t N>
std::string_view coded(const std::array<std::string_view, N>& names, std::int64_t code) {
  if (code < 0 || static_cast<std::size_t>(code) >= N) return "?";
  return names[static_cast<std::size_t>(code)];
}

// The order of the lock core's enumerations, as the bridge writes them.
constexpr std::array<std::string_view, 8> kAcquireOutcomes = {
    "acquired",    "taken",   "too_late",  "no_replica_ack",
    "unreachable", "refused", "cancelled", "invalid"};
constexpr std::array<std::string_view, 4> kReleaseOutcomes = {"released", "already_expired",
                                                              "not_owner", "unknown"};
constexpr std::array<std::string_view, 5> kLossReasons = {"expired", "stolen", "quorum_lost",
                                                          "max_hold", "released"};
constexpr std::array<std::string_view, 10> kPoints = {
    "acquire_sent", "quorum_counted", "acquired",       "before_write", "before_read",
    "before_renew", "renewed",        "before_release", "released",     "protocol_step"};
constexpr std::array<std::string_view, 7> kDropCauses = {
    "", "a flush", "an eviction", "a restart", "a resync", "a failover", "an operator's delete"};

// Rounded to whole `step`s, away from zero at the half; `digits` decimals. What rounds to zero has
// no sign. The arithmetic is unsigned: the histories of others may hold any number.
std::string decimal_seconds(Nanos at, std::uint64_t step, int digits) {
  const auto bits = static_cast<std::uint64_t>(at);
  const std::uint64_t steps = ((at < 0 ? 0 - bits : bits) + step / 2) / step;
  const std::uint64_t second = 1'000'000'000 / step;
  return fmt::format("{}{}.{:0{}}", at < 0 && steps > 0 ? "-" : "", steps / second, steps % second,
                     digits);
}

}  // namespace

std::string seconds(Nanos at) { return decimal_seconds(at, 1'000'000, 3) + " s"; }

std::string exact_seconds(Nanos at) { return decimal_seconds(at, 1'000, 6); }

std::string span(Nanos length) {
  if (length < 0) return "-" + span(-length);
  if (length < 1'000) return fmt::format("{} ns", length);
  if (length < 999'500) return trimmed(length, 1'000, length < 99'950 ? 1 : 0, "us");
  if (length < 999'500'000) return trimmed(length, 1'000'000, length < 99'950'000 ? 1 : 0, "ms");
  return trimmed(length, 1'000'000'000, 3, "s");
}

std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string rate(std::int64_t ppm) {
  if (ppm % 1000 != 0) return fmt::format("{:+} ppm", ppm);
  const std::int64_t size = ppm < 0 ? -ppm : ppm;
  return fmt::format("{}{}", ppm < 0 ? "-" : "+", trimmed(size, 10'000, 1, "%"));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string actor_name(const history::History& history, history::ActorId actor) {
  return named(history.actors, actor);
}

std::string node_name(const history::History& history, history::NodeId node) {
  return named(history.nodes, node);
}

std::string resource_name(const history::History& history, history::ResourceId resource) {
  return named(history.resources, resource);
}

std::string token_name(const history::History& history, history::TokenId token) {
  constexpr std::size_t kShown = 12;
  std::string text = named(history.tokens, token);
  if (text.size() <= kShown) return text;
  std::size_t cut = kShown - 1;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "~";
}

std::string fault_name(const history::History& history, std::int64_t index) {
  if (index <= 0 || static_cast<std::size_t>(index) >= history.fault_text.size()) {
    return fmt::format("F{}", index);
  }
  const std::string& text = history.fault_text[static_cast<std::size_t>(index)];
  return text.empty() ? fmt::format("F{}", index) : fmt::format("F{}: {}", index, text);
}

std::string_view drop_cause_name(std::int64_t cause) { return coded(kDropCauses, cause); }

std::string_view acquire_outcome_name(std::int64_t outcome) {
  return coded(kAcquireOutcomes, outcome);
}

std::string_view release_outcome_name(std::int64_t outcome) {
  return coded(kReleaseOutcomes, outcome);
}

std::string_view loss_reason_name(std::int64_t reason) { return coded(kLossReasons, reason); }

std::string_view point_name(std::int64_t point) { return coded(kPoints, point); }

}  // namespace holdfast::report
