// What a sentinel answers to its clients and to other sentinels.
#include <algorithm>
#include <string>
#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/sentinel/description.h"

namespace holdfast::sim::redis {

namespace {

// The master of that name, or null after an error answer.
MasterSet* named_master(Execution& run, std::size_t argument) {
  MasterSet* const set = run.server.sentinel()->find(run[argument]);
  if (set == nullptr) run.error("ERR No such master with that name");
  return set;
}

void describe_all(Execution& run, const std::vector<std::unique_ptr<Monitored>>& instances) {
  run.array();
  const WallMs now = run.server.sentinel()->now();
  for (const auto& one : instances) run.reply.elements.push_back(describe(*one, now));
}

void tell_masters(Execution& run) {
  run.array();
  const Sentinel& sentinel = *run.server.sentinel();
  for (const auto& set : sentinel.sets()) {
    run.reply.elements.push_back(describe(set->master, sentinel.now()));
  }
}

void tell_master(Execution& run) {
  const MasterSet* const set = named_master(run, 2);
  if (set != nullptr) run.reply = describe(set->master, run.server.sentinel()->now());
}

void tell_replicas(Execution& run) {
  if (const MasterSet* const set = named_master(run, 2)) describe_all(run, set->replicas);
}

void tell_sentinels(Execution& run) {
  if (const MasterSet* const set = named_master(run, 2)) describe_all(run, set->sentinels);
}

// FID-T6.
void tell_master_address(Execution& run) {
  const MasterSet* const set = run.server.sentinel()->find(run[2]);
  if (set == nullptr) return run.no_array();
  run.array();
  run.element(set->current().host);
  run.element(IntegerText(set->current().port).view());
}

// FID-T1: an opinion for whoever asks, and a vote for who asks with its id.
void tell_master_down(Execution& run) {
  Sentinel& sentinel = *run.server.sentinel();
  std::int64_t port = 0;
  std::int64_t epoch = 0;
  if (!run.integer(3, port) || !run.integer(4, epoch)) return;
  MasterSet* const set =
      sentinel.find_by_master({std::string(run[2]), static_cast<std::uint16_t>(port)});
  const bool down = set != nullptr && !sentinel.tilted() && set->master.is(kSubjectivelyDown);
  std::string leader;
  std::uint64_t of_epoch = 0;
  if (set != nullptr && run[5] != "*") {
    leader = sentinel.vote(*set, static_cast<std::uint64_t>(epoch), run[5], of_epoch);
  }
  run.reply = Reply::array({Reply::number(down ? 1 : 0),
                            Reply::bulk(leader.empty() ? "*" : std::string_view(leader)),
                            Reply::number(static_cast<std::int64_t>(of_epoch))});
}

void order_failover(Execution& run) {
  MasterSet* const set = named_master(run, 2);
  if (set == nullptr) return;
  Sentinel& sentinel = *run.server.sentinel();
  if (set->master.is(kFailingOver)) return run.error("INPROG Failover already in progress");
  if (sentinel.choose_replica(*set) == nullptr) {
    return run.error("NOGOODSLAVE No suitable replica to promote");
  }
  sentinel.start_failover(*set);
  set->master.flags |= kForced;
  run.ok();
}

void check_quorum(Execution& run) {
  const MasterSet* const set = named_master(run, 2);
  if (set == nullptr) return;
  const auto voters = static_cast<int>(set->sentinels.size()) + 1;
  const int usable = run.server.sentinel()->usable_sentinels(*set);
  const bool quorum = usable >= set->options.quorum;
  const bool majority = usable >= voters / 2 + 1;
  if (quorum && majority) {
    return run.status("OK " + std::to_string(usable) +
                      " usable Sentinels. Quorum and failover authorization can be reached");
  }
  std::string text = "NOQUORUM " + std::to_string(usable) + " usable Sentinels. ";
  if (!quorum)
    text += "Not enough available Sentinels to reach the specified quorum for this master";
  if (!majority) {
    text += quorum ? "" : ". ";
    text += "Not enough available Sentinels to reach the majority and authorize a failover";
  }
  run.error(text);
}

void tell_own_id(Execution& run) { run.bulk(run.server.sentinel()->id()); }

void reset_masters(Execution& run) {
  Sentinel& sentinel = *run.server.sentinel();
  std::int64_t count = 0;
  for (const auto& set : sentinel.sets()) {
    if (!matches_glob(run[2], set->options.name)) continue;
    sentinel.forget_others(*set);
    ++count;
  }
  run.number(count);
}

// Other sentinels say hello here, and nobody anything else.
void take_publication(Execution& run) {
  if (run[1] != kHelloChannel) {
    return run.error("ERR Only HELLO messages are accepted by Sentinel instances.");
  }
  run.server.sentinel()->take_hello(run[2]);
  run.number(1);
}

void tell_sentinel_role(Execution& run) {
  std::vector<Reply> names;
  for (const auto& set : run.server.sentinel()->sets()) {
    names.push_back(Reply::bulk(set->options.name));
  }
  run.reply = Reply::array({Reply::bulk("sentinel"), Reply::array(std::move(names))});
}

void tell_sentinel_info(Execution& run) {
  const Sentinel& sentinel = *run.server.sentinel();
  std::string text =
      "# Server\r\nredis_version:" + std::string(run.server.version().redis_version) +
      "\r\nredis_mode:sentinel\r\nrun_id:" + run.server.run_id() +
      "\r\ntcp_port:" + std::to_string(run.server.options().port) + "\r\n\r\n";
  text += "# Sentinel\r\nsentinel_masters:" + std::to_string(sentinel.sets().size());
  text += sentinel.tilted() ? "\r\nsentinel_tilt:1" : "\r\nsentinel_tilt:0";
  const WallMs tilt = sentinel.tilted() ? (sentinel.now() - sentinel.tilted_since()) / 1000 : -1;
  text += "\r\nsentinel_tilt_since_seconds:" + std::to_string(tilt);
  text += "\r\nsentinel_running_scripts:0\r\nsentinel_scripts_queue_length:0";
  text += "\r\nsentinel_simulate_failure_flags:0\r\n";
  std::size_t number = 0;
  for (const auto& set : sentinel.sets()) {
    text += "master" + std::to_string(number++) + ":" + info_line(*set) + "\r\n";
  }
  run.bulk(text);
  run.reply.type = Reply::Type::verbatim;
}

constexpr std::uint32_t kSentinelFlags = kAdmin | kNotInScript;
constexpr CommandSpec kSentinelOwn[] = {
    {"sentinel", -2, kContainer, 0, 0, 0, nullptr},
    {"sentinel|masters", 2, kSentinelFlags, 0, 0, 0, tell_masters},
    {"sentinel|master", 3, kSentinelFlags, 0, 0, 0, tell_master},
    {"sentinel|replicas", 3, kSentinelFlags, 0, 0, 0, tell_replicas},
    {"sentinel|slaves", 3, kSentinelFlags, 0, 0, 0, tell_replicas},
    {"sentinel|sentinels", 3, kSentinelFlags, 0, 0, 0, tell_sentinels},
    {"sentinel|get-master-addr-by-name", 3, kSentinelFlags, 0, 0, 0, tell_master_address},
    {"sentinel|is-master-down-by-addr", 6, kSentinelFlags, 0, 0, 0, tell_master_down},
    {"sentinel|failover", 3, kSentinelFlags, 0, 0, 0, order_failover},
    {"sentinel|ckquorum", 3, kSentinelFlags, 0, 0, 0, check_quorum},
    {"sentinel|myid", 2, kSentinelFlags, 0, 0, 0, tell_own_id},
    {"sentinel|reset", 3, kSentinelFlags, 0, 0, 0, reset_masters},
    {"publish", 3, kPubSub | kLoading | kStale | kFast, 0, 0, 0, take_publication},
    {"role", 1, kLoading | kStale | kFast, 0, 0, 0, tell_sentinel_role},
    {"info", -1, kLoading | kStale, 0, 0, 0, tell_sentinel_info},
};

// Of a server's commands a sentinel has these.
constexpr std::string_view kSentinelShared[] = {
    "ping", "auth",      "hello",       "acl",        "client",       "command", "reset",
    "quit", "subscribe", "unsubscribe", "psubscribe", "punsubscribe", "shutdown"};

const CommandSpec* find_sentinel_own(std::string_view name) {
  const auto* const it =
      std::find_if(std::begin(kSentinelOwn), std::end(kSentinelOwn),
                   [name](const auto& spec) { return same_word(name, spec.name); });
  return it == std::end(kSentinelOwn) ? nullptr : it;
}

bool is_sentinel_shared(std::string_view name) {
  return std::any_of(std::begin(kSentinelShared), std::end(kSentinelShared),
                     [name](std::string_view shared) { return same_word(name, shared); });
}

}  // namespace

const CommandSpec* find_sentinel_command(const Command& command) {
  const CommandSpec* const spec = find_sentinel_own(command[0]);
  if (spec == nullptr) return is_sentinel_shared(command[0]) ? find_command(command) : nullptr;
  if ((spec->flags & kContainer) == 0 || command.size() < 2) return spec;
  return find_sentinel_own(std::string(spec->name).append("|").append(command[1]));
}

std::string unknown_sentinel_command(const Command& command, const VersionTraits& version) {
  const CommandSpec* container = find_sentinel_own(command[0]);
  if (container == nullptr && is_sentinel_shared(command[0])) container = find_command(command[0]);
  return unknown_command(command, container, version);
}

}  // namespace holdfast::sim::redis
