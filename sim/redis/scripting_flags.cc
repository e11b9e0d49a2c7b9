// What a script says of itself, and when it may run therefore.
#include "sim/redis/scripting_flags.h"

#include <algorithm>
#include <iterator>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/scripting.h"
#include "sim/redis/split_words.h"

namespace holdfast::sim::redis {

namespace {

struct FlagWord {
  std::string_view name;
  std::uint32_t flag;
};
constexpr FlagWord kFlagWords[] = {{"no-writes", kNoWrites},
                                   {"allow-oom", kAllowsOom},
                                   {"allow-stale", kAllowsStale},
                                   {"no-cluster", kNoCluster},
                                   {"allow-cross-slot-keys", kAllowsCrossSlot}};

// The flags of a list with commas; false when there is another word in it.
bool read_head_flags(std::string_view list, ScriptHead& head) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view word = list.substr(0, end);
    const auto known = std::find_if(std::begin(kFlagWords), std::end(kFlagWords),
                                    [word](const FlagWord& flag) { return flag.name == word; });
    const bool cut_off = end + 1 == list.size();  // nothing behind the last comma
    if (known == std::end(kFlagWords) || cut_off) {
      head.error = "ERR Unexpected flag in script shebang: ";
      if (known == std::end(kFlagWords)) head.error += word;
      return false;
    }
    head.flags |= known->flag;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return true;
}

}  // namespace

ScriptHead read_head(std::string_view body) {
  ScriptHead head;
  if (!body.starts_with("#!")) return head;
  head.length = body.find('\n');
  if (head.length == std::string_view::npos) {
    head.error = "ERR Invalid script shebang";
    return head;
  }
  Command words;
  if (!split_words(body.substr(0, head.length), words)) {
    head.error = "ERR Invalid engine in script shebang";
    return head;
  }
  if (words[0] != "#!lua") {
    head.error = "ERR Unexpected engine in script shebang: " + std::string(words[0]);
    return head;
  }
  head.flags = kSaysFlags;
  constexpr std::string_view kFlags = "flags=";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with(kFlags)) {
      head.error = "ERR Unknown lua shebang option: " + std::string(words[i]);
      return head;
    }
    if (!read_head_flags(words[i].substr(kFlags.size()), head)) return head;
  }
  return head;
}

std::uint32_t ScriptEngine::command_flags(std::uint32_t flags, const Command& command) {
  if ((flags & kScript) == 0) return flags;
  std::uint32_t said = 0;
  if (same_word(command[0].substr(0, 7), "evalsha")) {
    const Script* script = find(command[1]);
    if (script != nullptr) said = script->flags;
  } else {
    const ScriptHead head = read_head(command[1]);
    if (head.error.empty()) said = head.flags;
  }
  if ((said & kSaysFlags) == 0) return flags;
  flags &= ~(kStale | kGrows | kWrites | kReplicates);
  if ((said & kNoWrites) == 0) flags |= kWrites;
  if ((said & (kNoWrites | kAllowsOom)) == 0) flags |= kGrows;
  if ((said & kAllowsStale) != 0) flags |= kStale;
  return flags;
}

std::string_view ScriptEngine::refusal(std::uint32_t flags, bool read_only) {
  const bool stale = server_.is_stale();
  const bool says = (flags & kSaysFlags) != 0;
  if (stale && !says) {
    return "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
  }
  if (!says) return {};
  if ((flags & kNoCluster) != 0 && server_.cluster() != nullptr) {
    return "ERR Can not run script on cluster, 'no-cluster' flag is set.";
  }
  if (stale && (flags & kAllowsStale) == 0) {
    return "MASTERDOWN Link with MASTER is down, replica-serve-stale-data is set to 'no' and "
           "'allow-stale' flag is not set.";
  }
  if ((flags & kNoWrites) == 0) {
    if (!server_.data().master()) {
      return "READONLY You can not run script with write flag on readonly replica.";
    }
    if (read_only) return "ERR Can not execute a script with write flag using *_ro command.";
    if (server_.lacks_replicas()) return "NOREPLICAS Not enough good replicas to write.";
  }
  Memory& memory = server_.memory();
  if ((flags & (kNoWrites | kAllowsOom)) == 0 && memory.limited() && memory.is_full()) {
    return "OOM allow-oom flag is not set on the script, can not run it when used memory > "
           "'maxmemory'";
  }
  return {};
}

}  // namespace holdfast::sim::redis
