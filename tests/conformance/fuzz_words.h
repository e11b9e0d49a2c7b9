// Random commands from templates, and the values that stand in them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "sim/random.h"

namespace holdfast::conformance {

enum class Family : std::uint8_t {
  strings,
  keys,
  expiry,
  hashes,
  lists,
  sets,
  sorted,
  scripts,
  transactions,
  messages,
  blocking,
  server,
  count,
};

// Words of a template: a capital letter stands for a value (see fuzz_words.cc), K and a small
// letter for a key that is mostly of that type; [a|b,C] is one of these or nothing, <a|b> one of
// these, (F,V) is repeated up to three times.
struct CommandTemplate {
  Family family;
  std::string_view words;
};
// Those whose command the simulated server has.
std::span<const CommandTemplate> known_commands();

class Words {
 public:
  explicit Words(sim::Random& random) : random_(random) {}

  Command expand(std::string_view words);
  // The same with something wrong with it: an argument less, more, or another.
  void spoil(Command& command);
  std::string value(std::string_view kind);
  std::string key() { return value("K"); }

 private:
  std::string_view one_of(std::span<const std::string_view> values);
  void add_word(std::string_view word, Command& command);
  void add_alternative(std::string_view alternatives, Command& command);
  void add_list(std::string_view list, Command& command);  // a,b,c

  sim::Random& random_;
};

// Redis promises no order of what this command (in lower case) answers.
bool answers_in_no_order(std::string_view command);

}  // namespace holdfast::conformance
