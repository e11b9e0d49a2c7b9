// Faults: what, on whom, with which parameters. When they strike: read_trigger.cc.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/fields.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"
#include "scenarios/format/read_clock.h"
#include "scenarios/format/read_trigger.h"

namespace holdfast::scenario {
namespace {

using FaultKind = FaultSpec::Kind;

constexpr std::int64_t kMostDroppedReplies = 1'000'000;

const Spelling<FaultKind>& kind_words() {
  static const Spelling<FaultKind> words{{"pause", FaultKind::pause},
                                         {"crash", FaultKind::crash},
                                         {"restart", FaultKind::restart},
                                         {"clock", FaultKind::clock},
                                         {"cut", FaultKind::cut},
                                         {"reset", FaultKind::reset},
                                         {"delay", FaultKind::delay},
                                         {"drop_reply", FaultKind::drop_reply},
                                         {"promote", FaultKind::promote},
                                         {"evict", FaultKind::evict},
                                         {"flush", FaultKind::flush},
                                         {"error", FaultKind::error},
                                         {"slow_fsync", FaultKind::slow_fsync}};
  return words;
}

class FaultReader {
 public:
  FaultReader(const Scenario& scenario, Errors& errors) : scenario_(scenario), errors_(errors) {}

  std::optional<FaultSpec> read(const Value& value) {
    const keys::Kind* kind = find_kind(value);
    if (kind == nullptr) return std::nullopt;
    Fields fields(value, kind->object, errors_);
    FaultSpec fault;
    fault.origin = value.origin;
    fault.kind = *kind_words().find(kind->word);
    fields.read("for", fault.duration, Least::above_zero);
    read_target(fault, fields, kind->word);
    read_parameters(fault, fields);
    fault.when = read_trigger(fields, scenario_);
    return fault;
  }

 private:
  const keys::Kind* find_kind(const Value& value) {
    if (value.type != Value::Type::object) {
      errors_.add(value.origin, fmt::format("a fault must be an object, not {}", describe(value)));
      return nullptr;
    }
    // The first key that can be a kind decides, but "reset" is also an option of drop_reply.
    const bool drops = value.find("drop_reply") != nullptr;
    for (const Member& member : value.members) {
      for (const keys::Kind& kind : keys::faults) {
        if (member.key == kind.word && !(drops && kind.word == "reset")) return &kind;
      }
    }
    const std::string first = value.members.empty() ? "" : value.members.front().key;
    const std::string nearest = nearest_name(first, kind_words().words());
    errors_.add(value.members.empty() ? value.origin : value.members.front().origin,
                fmt::format("a fault must be one of {}{}", join(kind_words().words()),
                            nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    return nullptr;
  }

  void read_target(FaultSpec& fault, Fields& fields, std::string_view word) {
    switch (fault.kind) {
      case FaultKind::cut:
      case FaultKind::reset:
      case FaultKind::delay:
      case FaultKind::drop_reply:
        read_link(fault, *fields.find(word), word);
        return;
      case FaultKind::pause:
      case FaultKind::crash:
      case FaultKind::clock:
        fields.read(word, fault.target);
        check_target(fault, fields, word, everybody(), everybody_word());
        return;
      case FaultKind::restart:
        fields.read(word, fault.target);
        check_target(fault, fields, word, servers_and_sentinels(),
                     scenario_.sentinels.empty() ? "server" : "server or sentinel");
        return;
      default:
        fields.read(word, fault.target);
        check_target(fault, fields, word, server_names(scenario_), "server");
        return;
    }
  }

  void check_target(const FaultSpec& fault, Fields& fields, std::string_view word,
                    const std::vector<std::string>& known, std::string_view kind) {
    if (!fault.target.empty()) check_known(fault.target, known, kind, fields.origin(word), errors_);
  }

  // ["A", "n1"]: a client and a server; ["n1", "n1r"]: a master and its replica (cut only);
  // ["s1", "n1"]: a sentinel and whoever it is connected with. Either order; the model has the
  // client, the sentinel or the master first.
  void read_link(FaultSpec& fault, const Value& value, std::string_view word) {
    const std::vector<std::string> ends = strings_of(value, fmt::format("\"{}\"", word), errors_);
    if (value.type != Value::Type::array || ends.size() != value.items.size()) return;
    if (ends.size() != 2) {
      errors_.add(value.origin, fmt::format("\"{}\" must name the two ends of a link, as in "
                                            "[\"A\", \"n1\"]",
                                            word));
      return;
    }
    const bool first_known = check_end(ends[0], value.items[0]);
    const bool second_known = check_end(ends[1], value.items[1]);
    if (!first_known || !second_known) return;
    fault.target = ends[0];
    fault.peer = ends[1];
    if (is_sentinel(ends[0]) || is_sentinel(ends[1])) {
      const bool first_opens = is_sentinel(ends[0]) && !is_client(ends[1]);
      if (!first_opens && !is_client(ends[0])) std::swap(fault.target, fault.peer);
      return;
    }
    const ServerSpec* first = find_server(scenario_, ends[0]);
    const ServerSpec* second = find_server(scenario_, ends[1]);
    if (first != nullptr && (second == nullptr || first->replica_of == ends[1])) {
      std::swap(fault.target, fault.peer);
      std::swap(first, second);
    }
    const bool replication = first != nullptr && second != nullptr;
    if (first == nullptr && second == nullptr) {
      errors_.add(
          value.origin,
          fmt::format("there is no link between the clients \"{}\" and \"{}\"", ends[0], ends[1]));
    } else if (replication && !scenario_.cluster && second->replica_of != first->name) {
      errors_.add(value.origin,
                  fmt::format("there is no link between \"{}\" and \"{}\": neither is "
                              "a replica of the other",
                              ends[0], ends[1]));
    } else if (replication && fault.kind != FaultKind::cut) {
      errors_.add(value.origin, "a replication link can only be cut");
    }
  }

  bool check_end(const std::string& name, const Value& value) {
    return check_known(name, everybody(), everybody_word(), value.origin, errors_);
  }

  void read_parameters(FaultSpec& fault, Fields& fields) {
    switch (fault.kind) {
      case FaultKind::pause:
        fields.read("lane", fault.lane, lane_words());
        if (fault.lane && is_server(fault.target)) {
          fields.error("lane", "\"lane\" is for clients; a server has none");
        }
        return;
      case FaultKind::crash:
        read_crash(fault, fields);
        return;
      case FaultKind::restart:
        fields.read("persistence", fault.persistence, persistence_words());
        read_new_master(fault, fields);
        return;
      case FaultKind::clock:
        read_clock_change(fault, fields);
        return;
      case FaultKind::cut:
        fields.read("mode", fault.mode, cut_words());
        fields.read("direction", fault.direction, direction_words());
        if (fault.mode == FaultSpec::Cut::refuse && fault.direction != FaultSpec::Direction::both) {
          fields.error("direction",
                       "\"direction\" is for a cut that holds; one that refuses is for "
                       "both");
        }
        if (is_server(fault.target) && fields.has("direction")) {
          fields.error("direction",
                       "a replication link is cut from the master to the replica; it "
                       "takes no \"direction\"");
        }
        return;
      case FaultKind::delay:
        require(fields, "by", "a delay fault");
        fields.read("by", fault.by, Least::above_zero);
        fields.read("direction", fault.direction, direction_words());
        return;
      case FaultKind::drop_reply:
        read_drop_reply(fault, fields);
        return;
      case FaultKind::promote:
        read_promote(fault, fields);
        return;
      case FaultKind::evict:
        require(fields, "key", "an evict fault");
        fields.read("key", fault.key);
        return;
      case FaultKind::error:
        read_error(fault, fields);
        return;
      case FaultKind::slow_fsync:
        require(fields, "by", "a slow_fsync fault");
        fields.read("by", fault.by, Least::above_zero);
        return;
      case FaultKind::reset:
      case FaultKind::flush:
        return;
    }
  }

  void read_crash(FaultSpec& fault, Fields& fields) {
    fields.read("power_loss", fault.power_loss);
    fields.read("restart_after", fault.restart_after, Least::zero);
    fields.read("persistence", fault.persistence, persistence_words());
    if (!is_server(fault.target)) {
      for (const std::string_view key : {"power_loss", "persistence"}) {
        if (fields.has(key))
          fields.error(key, fmt::format("\"{}\" is for the crash of a server", key));
      }
    }
    if (fault.persistence && !fault.restart_after) {
      fields.error("persistence",
                   "\"persistence\" is how the server comes back; it needs "
                   "\"restart_after\"");
    }
  }

  void read_new_master(FaultSpec& fault, Fields& fields) {
    fields.read("replica_of", fault.replica_of);
    if (fault.replica_of.empty()) return;
    check_known(fault.replica_of, server_names(scenario_), "server", fields.origin("replica_of"),
                errors_);
    if (fault.replica_of == fault.target) {
      fields.error("replica_of", fmt::format("\"{}\" cannot be a replica of itself", fault.target));
    }
  }

  void read_clock_change(FaultSpec& fault, Fields& fields) {
    fields.read("step", fault.step, Least::any);
    fields.read("freeze", fault.freeze);
    if (fields.has("rate_ppm")) {
      std::int64_t rate = 0;
      fields.read("rate_ppm", rate, kLeastRatePpm, kMostRatePpm);
      fault.rate_ppm = rate;
    }
    const int given = (fields.has("step") ? 1 : 0) + (fields.has("freeze") ? 1 : 0) +
                      (fields.has("rate_ppm") ? 1 : 0);
    if (given != 1) {
      errors_.add(fault.origin,
                  "a clock fault needs one of \"step\", \"rate_ppm\" and \"freeze\": true");
    } else if (fields.has("freeze") && !fault.freeze) {
      fields.error("freeze", "\"freeze\" can only be true; it ends by \"for\"");
    } else if (fault.freeze && !fault.target.empty() && !is_server(fault.target)) {
      fields.error("freeze", "only a server's clock can be frozen so far");
    }
    if (fields.has("step") && fields.has("for")) {
      fields.error("for", "a step of the clock has no \"for\"; step it back with a second fault");
    }
  }

  void read_drop_reply(FaultSpec& fault, Fields& fields) {
    std::int64_t count = 1;
    fields.read("count", count, 1, kMostDroppedReplies);
    fault.count = static_cast<std::uint32_t>(count);
    fields.read("reset", fault.then_reset);
  }

  void read_promote(FaultSpec& fault, Fields& fields) {
    const ServerSpec* replica = find_server(scenario_, fault.target);
    if (replica != nullptr && replica->replica_of.empty()) {
      fields.error("promote",
                   fmt::format("\"{}\" is a master; only a replica can be promoted", fault.target));
    }
    fields.read("old_master_returns_after", fault.restart_after, Least::zero);
    if (fault.restart_after && fields.has("sometimes")) {
      fields.error("old_master_returns_after",
                   "\"old_master_returns_after\" contradicts \"sometimes\"; give the restart as a "
                   "fault of its own");
    }
  }

  void read_error(FaultSpec& fault, Fields& fields) {
    require(fields, "text", "an error fault");
    fields.read("text", fault.text);
    fields.read("writes_only", fault.writes_only);
    fields.read("client", fault.peer);
    if (fault.text.starts_with('-')) {
      fields.error("text", "\"text\" is what the server answers without the '-' in front");
    }
    if (!fault.peer.empty()) {
      check_known(fault.peer, client_names(scenario_), "client", fields.origin("client"), errors_);
    }
  }

  void require(Fields& fields, std::string_view key, std::string_view what) {
    if (fields.has(key)) return;
    errors_.add(fields.value().origin, fmt::format("\"{}\" is missing in {}", key, what));
  }

  bool is_server(const std::string& name) const { return find_server(scenario_, name) != nullptr; }

  bool is_client(const std::string& name) const {
    const std::vector<std::string> names = client_names(scenario_);
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  bool is_sentinel(const std::string& name) const {
    const auto& all = scenario_.sentinels;
    return std::find(all.begin(), all.end(), name) != all.end();
  }

  std::vector<std::string> everybody() const {
    std::vector<std::string> names = client_names(scenario_);
    const std::vector<std::string> others = servers_and_sentinels();
    names.insert(names.end(), others.begin(), others.end());
    return names;
  }

  std::string_view everybody_word() const {
    return scenario_.sentinels.empty() ? "client or server" : "client, server or sentinel";
  }

  std::vector<std::string> servers_and_sentinels() const {
    std::vector<std::string> names = server_names(scenario_);
    names.insert(names.end(), scenario_.sentinels.begin(), scenario_.sentinels.end());
    return names;
  }

  const Scenario& scenario_;
  Errors& errors_;
};

// "old_master_returns_after" is a fault of its own: a restart, so much later than the promotion.
std::optional<FaultSpec> old_master_comes_back(const FaultSpec& promotion,
                                               const Scenario& scenario) {
  const ServerSpec* replica = find_server(scenario, promotion.target);
  if (promotion.kind != FaultKind::promote || !promotion.restart_after || replica == nullptr) {
    return std::nullopt;
  }
  FaultSpec fault;
  fault.kind = FaultKind::restart;
  fault.origin = promotion.origin;
  fault.target = replica->replica_of;
  fault.replica_of = promotion.target;
  fault.when = promotion.when;
  (fault.when.at ? *fault.when.at : fault.when.after) += *promotion.restart_after;
  return fault;
}

}  // namespace

void read_faults(const Value& faults, Scenario& scenario, Errors& errors) {
  if (faults.type != Value::Type::array) {
    errors.add(faults.origin, fmt::format("\"faults\" must be an array, not {}", describe(faults)));
    return;
  }
  FaultReader reader(scenario, errors);
  for (const Value& value : faults.items) {
    auto fault = reader.read(value);
    if (!fault) continue;
    std::optional<FaultSpec> comes_back = old_master_comes_back(*fault, scenario);
    if (comes_back) fault->restart_after.reset();
    scenario.faults.push_back(std::move(*fault));
    if (comes_back) scenario.faults.push_back(std::move(*comes_back));
  }
}

}  // namespace holdfast::scenario
