// COMMAND: the command table as clients ask for it.
#include <string>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

struct Word {
  std::uint32_t flag;
  std::string_view text;
};
// In the order in which Redis lists them.
constexpr Word kFlagWords[] = {
    {kWrites, "write"},       {kReads, "readonly"},
    {kGrows, "denyoom"},      {kAdmin, "admin"},
    {kPubSub, "pubsub"},      {kNotInScript, "noscript"},
    {kBlocking, "blocking"},  {kLoading, "loading"},
    {kStale, "stale"},        {kSkipsMonitor, "skip_monitor"},
    {kFast, "fast"},          {kNoAuth, "no_auth"},
    {kNoMulti, "no_multi"},   {kAllowBusy, "allow_busy"},
    {kScript, "movablekeys"},
};

Reply words_of(std::uint32_t flags) {
  Reply words;
  words.type = Reply::Type::set;
  for (const Word& word : kFlagWords) {
    if ((flags & word.flag) != 0) words.elements.push_back(Reply::status(word.text));
  }
  return words;
}

Reply categories_of(std::uint32_t flags) {
  Reply categories;
  categories.type = Reply::Type::set;
  const auto add = [&](bool is_in, std::string_view name) {
    if (is_in) categories.elements.push_back(Reply::status(name));
  };
  add((flags & kReads) != 0, "@read");
  add((flags & kWrites) != 0, "@write");
  add((flags & kPubSub) != 0, "@pubsub");
  add((flags & kAdmin) != 0, "@admin");
  add((flags & kFast) == 0, "@slow");
  add((flags & kFast) != 0, "@fast");
  add((flags & kBlocking) != 0, "@blocking");
  add((flags & kAdmin) != 0, "@dangerous");
  return categories;
}

// Tips and key specifications are left empty.
Reply describe(const CommandSpec& spec) {
  return Reply::array({Reply::bulk(spec.name), Reply::number(spec.arity), words_of(spec.flags),
                       Reply::number(spec.first_key), Reply::number(spec.last_key),
                       Reply::number(spec.key_step), categories_of(spec.flags), Reply::array({}),
                       Reply::array({}), Reply::array({})});
}

std::vector<const CommandSpec*> known_commands(const Execution& run) {
  std::vector<const CommandSpec*> known;
  for (const CommandSpec* spec : all_commands()) {
    if (run.server.known(spec) != nullptr) known.push_back(spec);
  }
  return known;
}

void all(Execution& run) {
  run.array();
  for (const CommandSpec* spec : known_commands(run)) run.reply.elements.push_back(describe(*spec));
}

void count(Execution& run) { run.number(static_cast<std::int64_t>(known_commands(run).size())); }

void command_info(Execution& run) {
  if (run.size() == 2) return all(run);
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    const CommandSpec* spec = run.server.known(find_command(run[i]));
    run.reply.elements.push_back(spec == nullptr ? Reply() : describe(*spec));
    if (spec == nullptr) run.reply.elements.back().type = Reply::Type::null_array;
  }
}

// No texts: as for commands that nobody has documented.
void docs(Execution& run) { run.reply.type = Reply::Type::map; }

void command_list(Execution& run) {
  const bool filtered = run.size() == 5 && same_word(run[2], "filterby");
  if (run.size() != 2 && !(filtered && same_word(run[3], "pattern"))) return run.syntax_error();
  run.array();
  for (const CommandSpec* spec : known_commands(run)) {
    if (!filtered || matches_glob(run[4], spec->name)) run.element(spec->name);
  }
}

void getkeys(Execution& run) {
  Command command;
  for (std::size_t i = 2; i < run.size(); ++i) command.add(run[i]);
  const CommandSpec* spec = run.server.known(find_command(command));
  if (spec == nullptr) return run.error("ERR Invalid command specified");
  if (spec->first_key == 0 && (spec->flags & kScript) == 0) {
    return run.error("ERR The command has no key arguments");
  }
  if (!fits_arity(*spec, command.size())) {
    return run.error("ERR Invalid number of arguments specified for command");
  }
  run.array();
  each_key(*spec, command, [&run](std::string_view key) { run.element(key); });
}

constexpr std::uint32_t kIntrospection = kLoading | kStale;
constexpr CommandSpec kCommandCommands[] = {
    {"command", -1, kContainer | kIntrospection, 0, 0, 0, all},
    {"command|count", 2, kIntrospection, 0, 0, 0, count},
    {"command|info", -2, kIntrospection, 0, 0, 0, command_info},
    {"command|docs", -2, kIntrospection | kSince70, 0, 0, 0, docs},
    {"command|list", -2, kIntrospection | kSince70, 0, 0, 0, command_list},
    {"command|getkeys", -4, kIntrospection, 0, 0, 0, getkeys},
};

}  // namespace

std::span<const CommandSpec> command_commands() { return kCommandCommands; }

}  // namespace holdfast::sim::redis
