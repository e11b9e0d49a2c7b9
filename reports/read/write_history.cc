#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/history/kind_names.h"
#include "reports/read/history_json.h"
#include "reports/read/history_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::History;
using history::LockSetup;
using history::Names;
using history::Setup;
using OrderedJson = nlohmann::ordered_json;

std::string dump(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

OrderedJson table(const Names& names) {
  OrderedJson array = OrderedJson::array();
  for (std::uint32_t id = 1; id < names.size(); ++id) array.push_back(names[id]);
  return array;
}

OrderedJson texts(const std::vector<std::string>& from) {
  OrderedJson array = OrderedJson::array();
  for (std::size_t i = 1; i < from.size(); ++i) array.push_back(from[i]);
  return array;
}

template <typename Id>
OrderedJson named(const std::vector<Id>& ids, const Names& names) {
  OrderedJson array = OrderedJson::array();
  for (const Id id : ids) array.push_back(names[id]);
  return array;
}

OrderedJson lock_json(const LockSetup& lock, const History& history) {
  OrderedJson json;
  json["lock"] = history.resources[lock.resource];
  json["nodes"] = named(lock.nodes, history.nodes);
  json["quorum"] = lock.quorum;
  json["ttl"] = lock.ttl;
  json["node_deadline"] = lock.node_deadline;
  json["poll"] = lock.poll;
  json["replicas"] = lock.replicas;
  json["watchdog"] = lock.watchdog;
  json["belief"] = kBeliefWords[static_cast<std::size_t>(lock.belief)];
  json["guards"] = named(lock.guards, history.resources);
  return json;
}

OrderedJson setup_json(const History& history) {
  const Setup& setup = history.setup;
  OrderedJson json;
  json["scenario"] = setup.scenario;
  json["world"] = setup.world;
  json["seed"] = setup.seed;
  json["until"] = setup.until;
  json["scale"] = setup.scale;
  json["slack"] = setup.slack;
  json["locks"] = OrderedJson::array();
  for (const LockSetup& lock : setup.locks) json["locks"].push_back(lock_json(lock, history));
  json["nodes"] = OrderedJson::array();
  for (const auto& node : setup.nodes) {
    OrderedJson one;
    one["node"] = history.nodes[node.node];
    if (node.replica_of != 0) one["replica_of"] = history.nodes[node.replica_of];
    if (node.guarded) one["guarded"] = true;
    json["nodes"].push_back(std::move(one));
  }
  json["guarded"] = named(setup.guarded, history.resources);
  json["clients"] = named(setup.clients, history.actors);
  json["fault_count"] = setup.fault_count;
  json["unconditional"] = setup.fault_unconditional;
  json["evidence"] = {{"server_keys", setup.evidence.server_keys},
                      {"handle", setup.evidence.handle},
                      {"resource", setup.evidence.resource}};
  return json;
}

// An event's line, with names quoted once for all.
class EventWriter {
 public:
  explicit EventWriter(const History& history)
      : actors_(quote(history.actors)),
        nodes_(quote(history.nodes)),
        resources_(quote(history.resources)),
        tokens_(quote(history.tokens)) {}

  void write(std::ostream& out, const Event& event, std::uint32_t index) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{{\"at\":{}", event.at);
    if (event.seq != index) number("seq", event.seq);
    text("kind", fmt::format("\"{}\"", history::kind_name(event.kind)));
    name("actor", event.actor, actors_);
    name("node", event.node, nodes_);
    name("resource", event.resource, resources_);
    if (event.grant != 0) number("grant", event.grant);
    name("token", event.token, tokens_);
    if (event.flag != 0) number("flag", event.flag);
    if (event.note != 0) number("note", event.note);
    if (event.a != 0) number("a", event.a);
    if (event.b != 0) number("b", event.b);
    line_ += "}\n";
    out.write(line_.data(), static_cast<std::streamsize>(line_.size()));
  }

 private:
  using Quoted = std::vector<std::string>;

  static Quoted quote(const Names& names) {
    Quoted quoted;
    for (std::uint32_t id = 0; id < names.size(); ++id)
      quoted.push_back(dump(OrderedJson(names[id])));
    return quoted;
  }
  template <typename Number>
  void number(const char* key, Number value) {
    fmt::format_to(std::back_inserter(line_), ",\"{}\":{}", key, static_cast<std::int64_t>(value));
  }
  void text(const char* key, const std::string& quoted) {
    fmt::format_to(std::back_inserter(line_), ",\"{}\":{}", key, quoted);
  }
  void name(const char* key, std::uint32_t id, const Quoted& names) {
    if (id != 0 && id < names.size()) text(key, names[id]);
  }

  Quoted actors_, nodes_, resources_, tokens_;
  std::string line_;
};

}  // namespace

void write_history(std::ostream& out, const History& history) {
  OrderedJson header;
  header["holdfast-history"] = kHistoryVersion;
  header["setup"] = setup_json(history);
  header["actors"] = table(history.actors);
  header["nodes"] = table(history.nodes);
  header["resources"] = table(history.resources);
  header["tokens"] = table(history.tokens);
  header["faults"] = texts(history.fault_text);
  header["notes"] = texts(history.notes);
  header["fingerprint"] = fmt::format("{:016x}", history.fingerprint);
  header["kernel_events"] = history.kernel_events;
  out << dump(header) << '\n';
  EventWriter writer(history);
  for (std::uint32_t i = 0; i < history.events.size(); ++i) {
    writer.write(out, history.events[i], i);
  }
}

}  // namespace holdfast::report
