#include "sim/redis/configuration.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/redis/cluster/layout.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/keyspace_events.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

std::vector<std::string_view> words(std::string_view text, std::string_view between) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    if (end > 0) found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + between.size(), text.size()));
  }
  return found;
}

bool are_save_points(std::string_view text) {
  const auto parts = words(text, " ");
  if (parts.size() % 2 != 0) return false;
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    const auto number = parse_integer(part);
    return number && *number >= 0;
  });
}

using Kind = Parameter::Kind;

// Why a value is refused; empty: it is taken, in `text` as it is kept.
std::string problem_with(const Parameter& parameter, std::string_view value, std::string& text) {
  switch (parameter.kind) {
    case Kind::fixed:
      return "can't set immutable config";
    case Kind::yes_no:
      text = lowered(value);
      return text == "yes" || text == "no" ? "" : "argument must be 'yes' or 'no'";
    case Kind::bytes: {
      const auto bytes = parse_bytes(value);
      if (!bytes) return "argument must be a memory value";
      text = std::to_string(*bytes);
      return {};
    }
    case Kind::number: {
      const auto number = parse_integer(value);
      if (!number) return "argument couldn't be parsed into an integer";
      if (*number < parameter.least || *number > parameter.most) {
        return "argument must be between " + std::to_string(parameter.least) + " and " +
               std::to_string(parameter.most) + " inclusive";
      }
      return {};
    }
    case Kind::one_of: {
      text = lowered(value);
      const auto choices = words(parameter.choices, ", ");
      if (std::find(choices.begin(), choices.end(), text) != choices.end()) return {};
      return "argument(s) must be one of the following: " + std::string(parameter.choices);
    }
    case Kind::events: {
      const auto events = KeyspaceEvents::canonical(value);
      if (!events) return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
      text = *events;
      return {};
    }
    case Kind::save_points:
      return are_save_points(value) ? "" : "Invalid save parameters";
    case Kind::text:
      return {};
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  const std::string unit = lowered(text.substr(digits));
  struct Unit {
    std::string_view name;
    std::int64_t bytes;
  };
  constexpr std::int64_t kK = 1024;
  constexpr Unit kUnits[] = {{"", 1},
                             {"b", 1},
                             {"k", 1000},
                             {"kb", kK},
                             {"m", 1000 * 1000},
                             {"mb", kK * kK},
                             {"g", 1000LL * 1000 * 1000},
                             {"gb", kK * kK * kK}};
  for (const Unit& each : kUnits) {
    if (unit != each.name) continue;
    if (*number > std::numeric_limits<std::int64_t>::max() / each.bytes) return std::nullopt;
    return *number * each.bytes;
  }
  return std::nullopt;
}

void Configuration::reset(const ServerOptions& options) {
  const auto all = parameters();
  if (texts_.empty()) {
    texts_.resize(all.size());
    numbers_.resize(all.size());
  }
  for (std::size_t row = 0; row < all.size(); ++row) set(row, std::string(all[row].initial));
  set(Setting::hz, std::to_string(options.hz));
  set(Setting::port, std::to_string(options.port));
  if (options.cluster != nullptr) {
    const Duration timeout = options.cluster->node_timeout;
    set(Setting::cluster_enabled, "yes");
    set(Setting::cluster_node_timeout, std::to_string(timeout / std::chrono::milliseconds(1)));
  }
  set(Setting::repl_diskless_sync_delay, std::to_string(options.diskless_sync_delay));
  const Persistence mode = options.persistence;
  if (mode == Persistence::rdb) {
    const auto seconds = options.rdb_interval / std::chrono::seconds(1);
    set(Setting::save, std::to_string(seconds) + " 1");
  }
  if (mode >= Persistence::aof_no) set(Setting::appendonly, "yes");
  if (mode == Persistence::aof_no) set(Setting::appendfsync, "no");
  if (mode == Persistence::aof_always) set(Setting::appendfsync, "always");
}

std::optional<std::size_t> Configuration::find(std::string_view name) {
  for (const ParameterAlias& alias : parameter_aliases()) {
    if (same_word(name, alias.name)) return find(alias.means);
  }
  const auto all = parameters();
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (same_word(name, all[row].name)) return row;
  }
  return std::nullopt;
}

std::optional<std::string> Configuration::read(std::size_t row, std::string_view value,
                                               std::string& problem) const {
  std::string text(value);
  problem = problem_with(parameters()[row], value, text);
  if (!problem.empty()) return std::nullopt;
  return text;
}

void Configuration::set(std::size_t row, std::string text) {
  numbers_[row] = parse_integer(text).value_or(0);
  texts_[row] = std::move(text);
}

}  // namespace holdfast::sim::redis
