#include <algorithm>
#include <charconv>
#include <istream>

#include "reports/history/kind_names.h"
#include "reports/read/history_json.h"
#include "reports/read/history_words.h"
#include "reports/read/json_fields.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::History;
using history::LockSetup;
using history::Names;
using history::Setup;

void read_table(const Json& header, const char* key, std::size_t limit, Names& names) {
  for (const Json& one : array_field(header, key)) {
    const std::uint32_t before = names.size();
    if (!one.is_string() || names.intern(one.get_ref<const std::string&>()) < before) {
      throw BadLine("\"" + std::string(key) + "\" must be different, non-empty names");
    }
    if (names.size() > limit) throw BadLine("\"" + std::string(key) + "\" has too many names");
  }
}

void read_texts(const Json& header, const char* key, std::vector<std::string>& texts) {
  for (const Json& one : array_field(header, key)) {
    if (!one.is_string()) throw BadLine("\"" + std::string(key) + "\" is not an array of texts");
    texts.push_back(one.get<std::string>());
  }
}

// Times and durations with which sums cannot overflow: up to 73 and 10 years.
constexpr history::Nanos kLatest = std::int64_t{1} << 61;
constexpr history::Nanos kLongest = 315'360'000'000'000'000;

void read_duration(const Json& json, const char* key, history::Nanos& to) {
  read_field(json, key, to);
  if (to < 0 || to > kLongest) {
    throw BadLine("\"" + std::string(key) + "\" is not between 0 and ten years");
  }
}

LockSetup read_lock(const Json& json, const History& history) {
  expect_only(json, {"lock", "nodes", "quorum", "ttl", "node_deadline", "poll", "replicas",
                     "watchdog", "belief", "guards"});
  LockSetup lock;
  read_name(json, "lock", history.resources, lock.resource);
  read_names(json, "nodes", history.nodes, lock.nodes);
  lock.quorum = static_cast<std::uint32_t>(lock.nodes.size() / 2 + 1);
  read_field(json, "quorum", lock.quorum);
  read_duration(json, "ttl", lock.ttl);
  read_duration(json, "node_deadline", lock.node_deadline);
  read_duration(json, "poll", lock.poll);
  read_field(json, "replicas", lock.replicas);
  read_field(json, "watchdog", lock.watchdog);
  read_names(json, "guards", history.resources, lock.guards);
  std::string belief(kBeliefWords[0]);
  read_field(json, "belief", belief);
  const auto word = std::find(kBeliefWords.begin(), kBeliefWords.end(), belief);
  if (word == kBeliefWords.end()) throw BadLine("unknown belief \"" + belief + "\"");
  lock.belief = static_cast<history::Belief>(word - kBeliefWords.begin());
  if (lock.resource == 0) throw BadLine("a lock without \"lock\", its name");
  return lock;
}

void read_nodes(const Json& json, History& history) {
  for (const Json& one : array_field(json, "nodes")) {
    expect_only(one, {"node", "replica_of", "guarded"});
    history::NodeSetup node;
    read_name(one, "node", history.nodes, node.node);
    read_name(one, "replica_of", history.nodes, node.replica_of);
    read_field(one, "guarded", node.guarded);
    history.setup.nodes.push_back(node);
  }
}

void read_setup(const Json& json, History& history) {
  expect_only(json, {"scenario", "world", "seed", "until", "scale", "slack", "locks", "nodes",
                     "guarded", "clients", "fault_count", "unconditional", "evidence"});
  Setup& setup = history.setup;
  read_field(json, "scenario", setup.scenario);
  read_field(json, "world", setup.world);
  read_field(json, "seed", setup.seed);
  read_field(json, "until", setup.until);
  read_field(json, "scale", setup.scale);
  read_duration(json, "slack", setup.slack);
  for (const Json& lock : array_field(json, "locks")) {
    setup.locks.push_back(read_lock(lock, history));
  }
  read_nodes(json, history);
  read_names(json, "guarded", history.resources, setup.guarded);
  read_names(json, "clients", history.actors, setup.clients);
  read_field(json, "fault_count", setup.fault_count);
  for (const Json& one : array_field(json, "unconditional")) {
    if (!one.is_boolean()) throw BadLine("\"unconditional\" is not an array of true and false");
    setup.fault_unconditional.push_back(one.get<bool>());
  }
  if (const Json* evidence = find_field(json, "evidence")) {
    expect_only(*evidence, {"server_keys", "handle", "resource"});
    read_field(*evidence, "server_keys", setup.evidence.server_keys);
    read_field(*evidence, "handle", setup.evidence.handle);
    read_field(*evidence, "resource", setup.evidence.resource);
  }
}

void read_header(const Json& json, History& history) {
  expect_only(json, {"holdfast-history", "setup", "actors", "nodes", "resources", "tokens",
                     "faults", "notes", "fingerprint", "kernel_events"});
  int version = 0;
  read_field(json, "holdfast-history", version);
  if (version != kHistoryVersion) {
    throw BadLine("not a history of version " + std::to_string(kHistoryVersion) +
                  ": the first line must say \"holdfast-history\"");
  }
  constexpr std::size_t kIds = 0xFFFF;
  read_table(json, "actors", kIds, history.actors);
  read_table(json, "nodes", kIds, history.nodes);
  read_table(json, "resources", kIds, history.resources);
  read_table(json, "tokens", 0xFFFF'FFFE, history.tokens);
  read_texts(json, "faults", history.fault_text);
  read_texts(json, "notes", history.notes);
  std::string print;
  read_field(json, "fingerprint", print);
  const auto end = print.data() + print.size();
  const auto parsed = std::from_chars(print.data(), end, history.fingerprint, 16);
  if (!print.empty() && (parsed.ec != std::errc() || parsed.ptr != end)) {
    throw BadLine("\"fingerprint\" is not a hexadecimal number");
  }
  read_field(json, "kernel_events", history.kernel_events);
  if (const Json* setup = find_field(json, "setup")) read_setup(*setup, history);
}

Event read_event(const Json& json, const History& history) {
  expect_only(json, {"at", "seq", "kind", "actor", "node", "resource", "grant", "token", "flag",
                     "note", "a", "b"});
  Event event;
  event.seq = static_cast<std::uint32_t>(history.events.size());
  if (find_field(json, "at") == nullptr) throw BadLine("an event without \"at\", its time");
  read_field(json, "at", event.at);
  if (event.at < 0 || event.at > kLatest) throw BadLine("\"at\" is not between 0 and 73 years");
  read_field(json, "seq", event.seq);
  std::string kind;
  read_field(json, "kind", kind);
  event.kind = history::find_kind(kind);
  if (event.kind == history::Kind::none) throw BadLine("unknown kind \"" + kind + "\"");
  read_name(json, "actor", history.actors, event.actor);
  read_name(json, "node", history.nodes, event.node);
  read_name(json, "resource", history.resources, event.resource);
  read_name(json, "token", history.tokens, event.token);
  read_field(json, "grant", event.grant);
  read_field(json, "flag", event.flag);
  read_field(json, "note", event.note);
  read_field(json, "a", event.a);
  read_field(json, "b", event.b);
  if (event.note >= history.notes.size()) throw BadLine("\"note\": the header has no such note");
  if (!history.events.empty() && event.at < history.events.back().at) {
    throw BadLine("\"at\" lies before the event above it");
  }
  return event;
}

}  // namespace

std::variant<History, HistoryError> read_history(std::istream& in) {
  History history;
  std::string line;
  std::size_t number = 0;
  try {
    while (std::getline(in, line)) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      const Json json = Json::parse(line, nullptr, false);
      if (json.is_discarded()) throw BadLine("not JSON");
      if (number == 1) {
        read_header(json, history);
      } else {
        history.events.push_back(read_event(json, history));
      }
    }
  } catch (const BadLine& bad) {
    return HistoryError{number, bad.what()};
  }
  if (in.bad()) return HistoryError{number + 1, "cannot be read"};
  if (number == 0) return HistoryError{1, "empty: a history begins with a header"};
  return history;
}

}  // namespace holdfast::report
