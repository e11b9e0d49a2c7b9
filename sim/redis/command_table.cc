// Finding a command by its name in any letter case.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::array kTables = {string_commands,
                                key_commands,
                                string_part_commands,
                                compare_commands,
                                key_move_commands,
                                object_commands,
                                list_move_commands,
                                set_commands,
                                set_algebra_commands,
                                sorted_set_commands,
                                sorted_set_range_commands,
                                ttl_commands,
                                hash_commands,
                                list_commands,
                                database_commands,
                                blocking_commands,
                                connection_commands,
                                client_commands,
                                client_kill_commands,
                                tracking_commands,
                                transaction_commands,
                                pubsub_commands,
                                config_commands,
                                command_commands,
                                server_commands,
                                script_commands,
                                debug_commands,
                                persistence_commands,
                                diagnosis_commands,
                                info_commands,
                                cluster_commands,
                                absent_commands,
                                replication_commands};

class CommandTable {
 public:
  CommandTable() {
    for (const auto table : kTables) {
      for (const CommandSpec& spec : table()) {
        add(spec);
        if (spec.name.find('|') == std::string_view::npos) commands_.push_back(&spec);
      }
    }
    std::sort(commands_.begin(), commands_.end(),
              [](const auto* left, const auto* right) { return left->name < right->name; });
  }

  const CommandSpec* find(std::string_view name) const {
    for (std::size_t at = start(name); slots_[at] != nullptr; at = (at + 1) % kSlots) {
      if (same_word(name, slots_[at]->name)) return slots_[at];
    }
    return nullptr;
  }
  std::span<const CommandSpec* const> commands() const { return commands_; }

 private:
  static constexpr std::size_t kSlots = 1024;

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
  std::vector<const CommandSpec*> commands_;
};

const CommandTable& table() {
  static const CommandTable commands;
  return commands;
}

// FIDELITY 7: cut at 128, line ends become spaces.
std::string unknown_subcommand(const Command& command, std::string_view container,
                               const VersionTraits& version) {
  std::string text = version.old_texts ? "ERR Unknown subcommand or wrong number of arguments for '"
                                       : "ERR unknown subcommand '";
  text.append(shown_word(command[1], 128)).append("'. Try ");
  for (const char letter : container) {
    text.push_back(letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter);
  }
  return text.append(" HELP.");
}

}  // namespace

const CommandSpec* find_command(std::string_view name) { return table().find(name); }

const CommandSpec* find_command(const Command& command) {
  const CommandSpec* spec = table().find(command[0]);
  if (spec == nullptr || (spec->flags & kContainer) == 0 || command.size() < 2) return spec;
  return table().find(std::string(spec->name).append("|").append(command[1]));
}

std::span<const CommandSpec* const> all_commands() { return table().commands(); }

std::string unknown_command(const Command& command, const CommandSpec* container,
                            const VersionTraits& version) {
  std::string text;
  if (container != nullptr && (container->flags & version.lacks) == 0) {
    text = unknown_subcommand(command, container->name, version);
  } else {
    const std::string_view quote = version.old_texts ? "`" : "'";
    const std::string_view between = version.old_texts ? "`, " : "' ";
    text.append("ERR unknown command ").append(quote).append(shown_word(command[0], 128));
    text.append(quote).append(", with args beginning with: ");
    std::string arguments;
    for (std::size_t i = 1; i < command.size() && arguments.size() < 128; ++i) {
      const std::size_t room = 128 - arguments.size();
      arguments.append(quote).append(shown_word(command[i], room)).append(between);
    }
    text.append(arguments);
  }
  for (char& letter : text) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return text;
}

}  // namespace holdfast::sim::redis
