// The lock: algorithm or protocol, its nodes and options.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/duration.h"
#include "scenarios/format/fields.h"
#include "scenarios/format/file_text.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

using Algorithm = LockSpec::Algorithm;

constexpr std::int64_t kMostReplicas = 100;
constexpr std::int64_t kMostDriftPpm = 999'999;

bool is_scenario(const Value& document) { return document.find("holdfast") != nullptr; }

// Names of the files in `place` that could have been meant: what is readable and no scenario.
std::vector<std::string> protocols_in(const std::string& place) {
  std::vector<std::string> names;
  for (const std::string& file : json_files(place)) {
    Errors ignored;
    const auto text = read_text_file(file);
    const auto document = text ? read_document(*text, file, ignored) : std::nullopt;
    if (document && document->find("holdfast-protocol") != nullptr) names.push_back(stem(file));
  }
  return names;
}

std::string no_such_file(const std::string& name, const std::vector<std::string>& places) {
  std::vector<std::string> known;
  std::string looked;
  for (const std::string& place : places) {
    const std::vector<std::string> names = protocols_in(place);
    known.insert(known.end(), names.begin(), names.end());
    looked += fmt::format("{}\"{}{}.json\"", looked.empty() ? "" : " or ", place, name);
  }
  if (known.empty()) {
    return fmt::format("no protocol file {}; there is none in these folders", looked);
  }
  const std::string nearest = nearest_name(name, known);
  return fmt::format("no protocol file {}; {}: {}", looked,
                     nearest.empty() ? "there are" : "did you mean \"" + nearest + "\"? There are",
                     join(known));
}

// "setnx-expire" is setnx-expire.json beside the scenario file, or in the folder protocols/ beside
// the scenario's folder; a scenario of that name is passed over.
std::optional<Protocol> load_protocol(const Value& value, const std::string& folder,
                                      Errors& errors) {
  if (value.type == Value::Type::object) return read_protocol(value, errors);
  const auto name = string_of(value, "\"protocol\"", errors);
  if (!name) return std::nullopt;
  const std::vector<std::string> places{folder, folder + "../protocols/"};
  for (const std::string& place : places) {
    const std::string path = place + *name + ".json";
    if (!is_file(path)) continue;
    const auto text = read_text_file(path);
    if (!text) {
      errors.add(value.origin, fmt::format("the protocol file \"{}\" cannot be read", path));
      return std::nullopt;
    }
    Errors errors_there;
    const auto document = read_document(*text, path, errors_there);
    if (document && is_scenario(*document)) continue;
    errors.add(errors_there);
    return document ? std::optional(read_protocol(*document, errors)) : std::nullopt;
  }
  errors.add(value.origin, no_such_file(*name, places));
  return std::nullopt;
}

void read_algorithm(Fields& fields, const std::string& folder, LockSpec& lock) {
  fields.read("algorithm", lock.algorithm, algorithm_words());
  const Value* protocol = fields.find("protocol");
  if (protocol == nullptr) {
    if (lock.algorithm == Algorithm::protocol) {
      fields.error("algorithm",
                   "\"algorithm\": \"protocol\" needs \"protocol\", which is not there");
    }
    return;
  }
  if (fields.has("algorithm") && lock.algorithm != Algorithm::protocol) {
    fields.error("algorithm", "\"algorithm\" contradicts \"protocol\"; give one of them");
  }
  lock.algorithm = Algorithm::protocol;
  lock.protocol = load_protocol(*protocol, folder, fields.errors());
}

void read_nodes(Fields& fields, Scenario& scenario) {
  LockSpec& lock = scenario.lock;
  const Value* value = fields.find("nodes");
  if (value == nullptr) {
    for (const ServerSpec& server : scenario.servers) {
      if (server.replica_of.empty()) lock.nodes.push_back(server.name);
    }
    return;
  }
  const std::vector<std::string> names = strings_of(*value, "\"nodes\"", fields.errors());
  for (std::size_t i = 0; i < names.size() && i < value->items.size(); ++i) {
    const Origin& origin = value->items[i].origin;
    const ServerSpec* server = find_server(scenario, names[i]);
    if (server == nullptr) {
      check_known(names[i], server_names(scenario), "server", origin, fields.errors());
    } else if (!server->replica_of.empty()) {
      fields.errors().add(origin,
                          fmt::format("\"{}\" is a replica; clients lock at masters", names[i]));
    } else if (std::find(lock.nodes.begin(), lock.nodes.end(), names[i]) != lock.nodes.end()) {
      fields.errors().add(
          origin, fmt::format("\"{}\" is already among the nodes: it would vote twice", names[i]));
    }
    lock.nodes.push_back(names[i]);
  }
}

void read_options(Fields& fields, LockOptions& options) {
  std::int64_t replicas = 0;
  fields.read("ttl", options.ttl, Least::above_zero);
  fields.read("watchdog", options.watchdog);
  fields.read("wait", options.wait, Least::zero);
  fields.read("retry", options.retry, Least::above_zero);
  fields.read("retry_jitter", options.retry_jitter, 0, 1);
  fields.read("node_deadline", options.node_deadline, Least::above_zero);
  fields.read("drift_ppm", options.drift_ppm, 0, kMostDriftPpm);
  fields.read("drift_fixed", options.drift_fixed, Least::zero);
  fields.read("min_validity", options.min_validity, Least::zero);
  fields.read("replicas", replicas, 0, kMostReplicas);
  fields.read("confirm_renewals", options.confirm_renewals);
  fields.read("fencing", options.fencing);
  fields.read("max_hold", options.max_hold, Least::above_zero);
  fields.read("min_hold", options.min_hold, Least::zero);
  options.replicas = static_cast<int>(replicas);
}

// The protocol's lease and the lock's ttl are one number; the watchdog of a protocol is its
// "renew".
void settle_protocol(Fields& fields, LockSpec& lock) {
  Protocol& protocol = *lock.protocol;
  LockOptions& options = lock.options;
  if (protocol.lease > Duration::zero()) {
    if (fields.has("ttl") && options.ttl != protocol.lease) {
      fields.error("ttl",
                   fmt::format("\"ttl\" {} contradicts the lease of {} of protocol \"{}\"",
                               short_form(options.ttl), short_form(protocol.lease), protocol.name));
    }
    options.ttl = protocol.lease;
  }
  protocol.lease = options.ttl;
  const bool renews = !protocol.renew.empty();
  if (!fields.has("watchdog")) options.watchdog = renews;
  if (options.watchdog && !renews) {
    fields.error("watchdog",
                 fmt::format("\"watchdog\": true contradicts protocol \"{}\", which has no "
                             "\"renew\"",
                             protocol.name));
  }
}

void read_guards(Fields& fields, Scenario& scenario) {
  fields.read("guards", scenario.lock.guards);
  const Value* value = fields.find("guards");
  if (value == nullptr || value->items.size() != scenario.lock.guards.size()) return;
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    check_known(scenario.lock.guards[i], guarded_names(scenario), "guarded resource",
                value->items[i].origin, fields.errors());
  }
}

void refuse_repair(Fields& fields) {
  bool repair = false;
  fields.read("repair", repair);
  if (repair) fields.error("repair", "\"repair\": true is not built yet");
}

}  // namespace

void read_lock(const Value& value, const std::string& folder, Scenario& scenario, Errors& errors) {
  Fields fields(value, keys::lock, errors);
  if (!fields.is_object()) return;
  LockSpec& lock = scenario.lock;
  lock.origin = value.origin;
  read_algorithm(fields, folder, lock);
  read_nodes(fields, scenario);
  read_options(fields, lock.options);
  if (lock.protocol) settle_protocol(fields, lock);
  read_guards(fields, scenario);
  refuse_repair(fields);
  check_lock_options(value, scenario, errors);
}

}  // namespace holdfast::scenario
