// Where a command belongs: the order of looks is that of FIDELITY K2, K6, K7.
#include <array>
#include <utility>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

// EXEC asks for all that is queued.
struct Cluster::Asked {
  const Session& session;
  const CommandSpec& spec;
  const Command& command;

  bool is_exec() const { return (spec.flags & kRunsQueue) != 0; }
  template <class Use>
  void each_command(Use use) const {
    if (!is_exec()) return use(spec, command);
    if (!session.is(kInMulti) || !session.extras) return;
    for (const QueuedCommand& queued : session.extras->queue) use(*queued.spec, queued.command);
  }
};

enum class Cluster::Answer : std::uint8_t {
  here,
  moved,
  ask,
  try_again,
  cross_slot,
  down,
  not_served,
};

namespace {

constexpr std::array<std::string_view, 5> kCodes = {"MOVED ", "ASK ", "TRYAGAIN ", "CROSSSLOT ",
                                                    "CLUSTERDOWN "};

// LMPOP and SINTERCARD count their keys in the first argument.
bool counts_first(const CommandSpec& spec) {
  return spec.first_key == 0 && (spec.name == "lmpop" || spec.name == "sintercard");
}

template <class Use>
void each_named(const CommandSpec& spec, const Command& command, Use use) {
  if (!counts_first(spec)) return each_key(spec, command, use);
  const auto size = static_cast<std::int64_t>(command.size());
  const auto count = parse_integer(command[1]);
  if (!count || *count < 1 || *count > size - 2) return;
  for (std::int64_t i = 2; i < 2 + *count; ++i) use(command[static_cast<std::size_t>(i)]);
}

bool is_of_shard_channels(const CommandSpec& spec) {
  return (spec.flags & kPubSub) != 0;  // those that name keys are SSUBSCRIBE and its kin
}

struct Keys {
  std::size_t named = 0;
  bool several = false;
  bool cross = false;
  bool writes = false;
  bool channels = false;
  Slot slot = 0;
  std::size_t present = 0;
  std::size_t missing = 0;
};

bool is_present(Dataset& data, std::string_view key) {
  const Entry* entry = data.databases()[0].find(key);
  if (entry == nullptr || !entry->present()) return false;
  return entry->deadline_ms == kNoDeadline || data.fresh_ms() <= entry->deadline_ms;
}

}  // namespace

bool is_redirection(std::string_view error) {
  for (const std::string_view code : kCodes) {
    if (error.starts_with(code)) return true;
  }
  return false;
}

Cluster::Answer Cluster::place(const Asked& asked, MemberId& where, Slot& slot) {
  Keys keys;
  std::string_view first;
  asked.each_command([&](const CommandSpec& spec, const Command& command) {
    keys.writes = keys.writes || (spec.flags & kWrites) != 0;
    keys.channels = keys.channels || is_of_shard_channels(spec);
    each_named(spec, command, [&](std::string_view key) {
      const Slot its = slot_of(key);
      if (keys.named++ == 0) {
        keys.slot = its;
        first = key;
      }
      keys.cross = keys.cross || its != keys.slot;
      keys.several = keys.several || key != first;
      is_present(server_.data(), key) ? ++keys.present : ++keys.missing;
    });
  });
  where = map_.self();
  if (keys.named == 0) return Answer::here;
  slot = keys.slot;
  const MemberId owner = map_.owner(slot);
  if (owner == kNobody) return Answer::not_served;
  if (keys.cross) return Answer::cross_slot;
  if (!ok_) return Answer::down;
  const MemberId target = owner == map_.self() ? map_.migrates_to(slot) : kNobody;
  if (target != kNobody && keys.missing > 0 && !keys.channels) {
    if (keys.present > 0) return Answer::try_again;
    where = target;
    return Answer::ask;
  }
  if (map_.imported_from(slot) != kNobody && asked.session.is(kAsking)) {
    return keys.several && keys.missing > 0 ? Answer::try_again : Answer::here;
  }
  const bool reads_here = (asked.session.is(kReadsHere) && !keys.writes) || keys.channels;
  if (reads_here && !map_.own().is_master() && map_.own().master == owner) return Answer::here;
  where = owner;
  return owner == map_.self() ? Answer::here : Answer::moved;
}

std::string Cluster::redirection(const Session& session, const CommandSpec& spec,
                                 const Command& command) {
  MemberId where = kNobody;
  Slot slot = 0;
  const auto to = [&](std::string_view code) {
    return std::string(code) + std::to_string(slot) + " " + map_[where].address();
  };
  switch (place({session, spec, command}, where, slot)) {
    case Answer::here:
      return {};
    case Answer::moved:
      return to("MOVED ");
    case Answer::ask:
      return to("ASK ");
    case Answer::try_again:
      return "TRYAGAIN Multiple keys request during rehashing of slot";
    case Answer::cross_slot:
      return "CROSSSLOT Keys in request don't hash to the same slot";
    case Answer::down:
      return "CLUSTERDOWN The cluster is down";
    case Answer::not_served:
      return "CLUSTERDOWN Hash slot not served";
  }
  return {};
}

// A script with a first line of flags keeps to one slot unless they say otherwise.
bool Cluster::leaves_its_slot(Slot slot) {
  const std::uint32_t flags = server_.scripts().flags();
  if (slot == kNoSlot || (flags & kSaysFlags) == 0 || (flags & kAllowsCrossSlot) != 0) return false;
  const std::uint32_t command = server_.data().command();
  if (std::exchange(script_command_, command) != command) script_slot_ = slot;
  return slot != script_slot_;
}

// What a script does is the same question, with other words.
std::string_view Cluster::script_refusal(const Session& session, const CommandSpec& spec,
                                         const Command& command) {
  MemberId where = kNobody;
  Slot slot = kNoSlot;
  switch (place({session, spec, command}, where, slot)) {
    case Answer::here:
      if (!leaves_its_slot(slot)) return {};
      return "ERR Script attempted to access keys that do not hash to the same slot";
    case Answer::down:
      return "ERR Script attempted to execute a command while the cluster is down";
    default:
      return "ERR Script attempted to access a non local key in a cluster node";
  }
}

void Cluster::command_over(Session& session) {
  const bool asked_now = session.last_command != nullptr && session.last_command->name == "asking";
  if (!asked_now && !session.is(kInMulti)) session.modes &= ~kAsking;
}

}  // namespace holdfast::sim::redis
