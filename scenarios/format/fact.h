// Fact: one sentence of `requires`, parsed. The grammar is in requires.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockcore/time.h"

namespace holdfast::scenario {

enum class FactEvent : std::uint8_t {
  acquired,
  failed,
  renewed,
  lost,
  released,
  left,
  wrote,
  was_refused,
  read,
  executed,
  deleted,
  expired,
  paused,
  crashed,
  restarted,
  promoted,
};

// "A released already_expired or not_owner"
struct FactPattern {
  std::string who;
  FactEvent event = FactEvent::acquired;
  std::vector<std::int64_t> outcomes = {};  // numbers as in the history; empty: any
};

struct Fact {
  enum class Relation : std::uint8_t { none, during, before, after };
  enum class State : std::uint8_t { paused, crashed, inside, holding };
  FactPattern pattern;
  bool never = false;
  std::uint64_t times = 1;
  Relation relation = Relation::none;
  std::string other = {};                // during: whose state
  State state = State::paused;           // during
  std::optional<Duration> time = {};     // before, after a time
  std::optional<FactPattern> mark = {};  // before, after an event
};

// Whether an event or state can be one of a client, of a server.
bool of_client(FactEvent event);
bool of_server(FactEvent event);

// The fact, or what is wrong with its text. Names are taken as they come.
std::variant<Fact, std::string> parse_fact(std::string_view text);

}  // namespace holdfast::scenario
