// Finding a command by its name in any letter case.
#include <array>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

class CommandTable {
 public:
  CommandTable() {
    for (const auto table :
         {database_commands(), string_commands(), key_commands(), ttl_commands(), hash_commands(),
          list_commands(), connection_commands(), server_commands(), script_commands()}) {
      for (const CommandSpec& spec : table) add(spec);
    }
  }

  const CommandSpec* find(std::string_view name) const {
    for (std::size_t at = start(name); slots_[at] != nullptr; at = (at + 1) % kSlots) {
      if (same_word(name, slots_[at]->name)) return slots_[at];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 512;

  static std::size_t start(std::string_view name) {
    constexpr unsigned kSmall = 0x20;  // the bit that makes a capital small
    std::uint32_t hash = 2166136261U;
    for (const char letter : name) {
      hash = (hash ^ (static_cast<unsigned char>(letter) | kSmall)) * 16777619U;
    }
    return (hash ^ (hash >> 15)) % kSlots;
  }

  void add(const CommandSpec& spec) {
    std::size_t at = start(spec.name);
    while (slots_[at] != nullptr) at = (at + 1) % kSlots;
    slots_[at] = &spec;
  }

  std::array<const CommandSpec*, kSlots> slots_{};
};

const CommandTable& table() {
  static const CommandTable commands;
  return commands;
}

}  // namespace

const CommandSpec* find_command(std::string_view name) { return table().find(name); }

}  // namespace holdfast::sim::redis
