#include "scenarios/runner/history_writer.h"

#include "scenarios/workload/guarded_resource.h"

namespace holdfast::runner {

using history::Event;
using history::Kind;

namespace {

// A watch is the resource's id; this bit marks the access log of a guarded resource.
constexpr std::uint16_t kLogBit = 0x8000;

history::ResourceId resource_of(std::uint16_t watch) {
  return static_cast<history::ResourceId>(watch & ~kLogBit);
}
bool is_log(std::uint16_t watch) { return (watch & kLogBit) != 0; }

}  // namespace

HistoryWriter::HistoryWriter(history::History& history) : history_(history) {
  for (const auto& lock : history.setup.locks) {
    watched_.push_back({history.resources[lock.resource], lock.resource});
  }
  for (const auto guarded : history.setup.guarded) {
    watched_.push_back({workload::log_key(history.resources[guarded]),
                        static_cast<std::uint16_t>(guarded | kLogBit)});
  }
}

void HistoryWriter::begin(sim::Kernel& kernel) {
  kernel_ = &kernel;
  history_.clear_run();
  history_.tokens.truncate(1);  // numbers of tokens must not depend on earlier runs
  behind_.assign(history_.nodes.size(), 0);
}

void HistoryWriter::write(Event event) {
  event.at = kernel_->now().time_since_epoch().count();
  event.seq = static_cast<std::uint32_t>(history_.events.size());
  const auto ids = static_cast<std::uint64_t>(event.kind) << 56 |
                   static_cast<std::uint64_t>(event.actor) << 48 |
                   static_cast<std::uint64_t>(event.node) << 40 |
                   static_cast<std::uint64_t>(event.resource) << 32 | event.token;
  const auto numbers = static_cast<std::uint64_t>(event.a) * 0x9e3779b97f4a7c15ULL ^
                       (static_cast<std::uint64_t>(event.b) + event.flag) * 0xc2b2ae3d27d4eb4fULL ^
                       std::uint64_t{event.grant} * 0x165667b19e3779f9ULL;
  kernel_->mix(ids ^ numbers);
  history_.events.push_back(event);
}

std::uint16_t HistoryWriter::watch(history::NodeId node, std::string_view key) {
  const bool guarded = node == history_.setup.nodes.back().node;
  for (const auto& one : watched_) {
    if (one.key == key && is_log(one.watch) == guarded) return one.watch;
  }
  return 0;
}

void HistoryWriter::role_changed(history::NodeId node, history::NodeId master) {
  write({.kind = master == 0 ? Kind::node_promoted : Kind::node_demoted,
         .node = node,
         .a = static_cast<std::int64_t>(master)});
}

// The first sentinel that says so counts: from then on clients are told.
void HistoryWriter::master_named(history::NodeId first, history::NodeId node) {
  const history::NodeId before = behind_[first] == 0 ? first : behind_[first];
  if (before == node) return;
  behind_[first] = node;
  write({.kind = Kind::master_changed, .node = node, .a = static_cast<std::int64_t>(first)});
}

void HistoryWriter::write_key(Kind kind, const Key& key, std::int64_t a) {
  if (is_log(key.watch)) return;
  Event event;
  event.kind = kind;
  event.actor = key.actor;
  event.node = key.node;
  event.resource = resource_of(key.watch);
  event.token = token(key.value);
  event.a = a;
  write(event);
}

void HistoryWriter::key_set(const Key& key, std::string_view previous) {
  static_cast<void>(previous);  // the judge follows the holdings itself
  write_key(Kind::key_set, key, key.deadline);
}
void HistoryWriter::key_ttl_changed(const Key& key) {
  write_key(Kind::key_ttl_changed, key, key.deadline);
}
void HistoryWriter::key_deleted(const Key& key) { write_key(Kind::key_deleted, key, 0); }
void HistoryWriter::key_expired(const Key& key) { write_key(Kind::key_expired, key, 0); }
void HistoryWriter::key_revived(const Key& key) { write_key(Kind::key_revived, key, key.deadline); }
void HistoryWriter::key_dropped(const Key& key, history::DropCause cause) {
  write_key(Kind::key_dropped, key, static_cast<std::int64_t>(cause));
}

void HistoryWriter::list_appended(const Key& key, std::string_view element) {
  if (!is_log(key.watch)) return;
  const auto access = workload::parse_logged_access(element);
  if (!access) return;
  Event event;
  event.kind = Kind::access_executed;
  event.flag = static_cast<std::uint8_t>((access->write ? 1 : 0) | (access->accepted ? 2 : 0));
  event.actor = key.actor;
  event.node = key.node;
  event.resource = resource_of(key.watch);
  event.grant = access->grant;
  event.a = access->value;
  event.b = access->fencing_token;
  write(event);
}

void HistoryWriter::command_executed(const Key& key, const Command& command, bool changed) {
  if (is_log(key.watch)) return;
  Event event;
  event.kind = Kind::command_executed;
  event.actor = key.actor;
  event.node = key.node;
  event.resource = resource_of(key.watch);
  event.a = changed ? 1 : 0;
  // The grant's token travels as an argument of everything that its owner sends about the key.
  for (std::size_t i = command.size(); i > 1 && event.token == 0; --i) {
    event.token = history_.tokens.find(command[i - 1]);
  }
  write(event);
}

}  // namespace holdfast::runner
