// SUBSCRIBE and its relatives, PUBLISH, PUBSUB.
#include <string>
#include <utility>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

// The last confirmation is the answer, those before it go beside it. EXEC gets them all, as the
// elements of one push, and finds places for them.
class Confirmations {
 public:
  Confirmations(Execution& run, std::string_view verb, ChannelKind kind)
      : run_(run), verb_(verb), kind_(kind) {}
  void add(Reply name) {
    const std::int64_t count = run_.server.pubsub().count(run_.session, kind_);
    Reply said = push_of({Reply::bulk(verb_), std::move(name), Reply::number(count)});
    if (run_.in_transaction) {
      run_.reply.type = Reply::Type::push;
      run_.reply.elements.push_back(std::move(said));
      return;
    }
    if (!run_.reply.elements.empty()) run_.server.push(run_.session, std::move(run_.reply));
    run_.reply = std::move(said);
  }

 private:
  Execution& run_;
  std::string_view verb_;
  ChannelKind kind_;
};

void subscribe_to(Execution& run, ChannelKind kind) {
  Confirmations confirmations(run, run.spec.name, kind);
  for (std::size_t i = 1; i < run.size(); ++i) {
    run.server.pubsub().subscribe(run.session, kind, run[i]);
    confirmations.add(Reply::bulk(run[i]));
  }
}

void unsubscribe_from(Execution& run, ChannelKind kind) {
  Confirmations confirmations(run, run.spec.name, kind);
  std::vector<std::string> names;
  for (std::size_t i = 1; i < run.size(); ++i) names.emplace_back(run[i]);
  if (names.empty()) names = run.client().more().channels[static_cast<std::size_t>(kind)];
  for (const std::string& name : names) {
    run.server.pubsub().unsubscribe(run.session, kind, name);
    confirmations.add(Reply::bulk(name));
  }
  if (names.empty()) confirmations.add(Reply());
}

void subscribe(Execution& run) { subscribe_to(run, ChannelKind::channel); }
void psubscribe(Execution& run) { subscribe_to(run, ChannelKind::pattern); }
void ssubscribe(Execution& run) {
  if (run.in_transaction) {
    return run.error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
  }
  subscribe_to(run, ChannelKind::shard);
}
void unsubscribe(Execution& run) { unsubscribe_from(run, ChannelKind::channel); }
void punsubscribe(Execution& run) { unsubscribe_from(run, ChannelKind::pattern); }
void sunsubscribe(Execution& run) { unsubscribe_from(run, ChannelKind::shard); }

// It travels with the stream (FID-R2, R17).
void publish(Execution& run) {
  const std::int64_t receivers = run.server.pubsub().publish(run[1], run[2]);
  run.server.propagation().publish(run.command);
  run.number(receivers);
}

void spublish(Execution& run) {
  const std::int64_t receivers = run.server.pubsub().publish_to_shard(run[1], run[2]);
  run.server.propagation().publish(run.command);
  run.number(receivers);
}

void wrong_use(Execution& run, std::string_view subcommand) {
  run.error("ERR unknown subcommand or wrong number of arguments for '" + std::string(subcommand) +
            "'. Try PUBSUB HELP.");
}

void list_channels(Execution& run, ChannelKind kind) {
  if (run.size() > 3) return wrong_use(run, run[1]);
  run.array();
  for (const auto& [name, sessions] : run.server.pubsub().listeners(kind)) {
    if (run.size() == 2 || matches_glob(run[2], name)) run.element(name);
  }
}

void count_listeners(Execution& run, ChannelKind kind) {
  run.array();
  const PubSub::Listeners& all = run.server.pubsub().listeners(kind);
  for (std::size_t i = 2; i < run.size(); ++i) {
    const auto it = all.find(run[i]);
    const std::size_t count = it == all.end() ? 0 : it->second.size();
    run.element(run[i]);
    run.reply.elements.push_back(Reply::number(static_cast<std::int64_t>(count)));
  }
}

void channels(Execution& run) { list_channels(run, ChannelKind::channel); }
void shardchannels(Execution& run) { list_channels(run, ChannelKind::shard); }
void numsub(Execution& run) { count_listeners(run, ChannelKind::channel); }
void shardnumsub(Execution& run) { count_listeners(run, ChannelKind::shard); }
void numpat(Execution& run) {
  const auto& patterns = run.server.pubsub().listeners(ChannelKind::pattern);
  run.number(static_cast<std::int64_t>(patterns.size()));
}

constexpr std::uint32_t kListens = kInSubscriber | kPubSub | kNotInScript | kLoading | kStale;
constexpr std::uint32_t kTells = kPubSub | kLoading | kStale | kFast | kReplicates;
constexpr std::uint32_t kAsks = kPubSub | kLoading | kStale;
constexpr CommandSpec kPubsubCommands[] = {
    {"subscribe", -2, kListens, 0, 0, 0, subscribe},
    {"unsubscribe", -1, kListens, 0, 0, 0, unsubscribe},
    {"psubscribe", -2, kListens, 0, 0, 0, psubscribe},
    {"punsubscribe", -1, kListens, 0, 0, 0, punsubscribe},
    {"ssubscribe", -2, kListens | kSince70, 1, -1, 1, ssubscribe},
    {"sunsubscribe", -1, kListens | kSince70, 1, -1, 1, sunsubscribe},
    {"publish", 3, kTells, 0, 0, 0, publish},
    {"spublish", 3, kTells | kSince70, 1, 1, 1, spublish},
    {"pubsub", -2, kContainer, 0, 0, 0, nullptr},
    {"pubsub|channels", -2, kAsks, 0, 0, 0, channels},
    {"pubsub|numsub", -2, kAsks, 0, 0, 0, numsub},
    {"pubsub|numpat", 2, kAsks, 0, 0, 0, numpat},
    {"pubsub|shardchannels", -2, kAsks | kSince70, 0, 0, 0, shardchannels},
    {"pubsub|shardnumsub", -2, kAsks | kSince70, 0, 0, 0, shardnumsub},
};

}  // namespace

std::span<const CommandSpec> pubsub_commands() { return kPubsubCommands; }

}  // namespace holdfast::sim::redis
