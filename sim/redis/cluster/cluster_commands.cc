// CLUSTER, READONLY, READWRITE and ASKING. A server that is no node of a cluster answers all of
// them with one error.
#include <algorithm>
#include <string>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/cluster/cluster_description.h"
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void info_of_cluster(Execution& run, Cluster& cluster) {
  run.bulk(describe_state(cluster));
  run.reply.type = Reply::Type::verbatim;
}

void nodes(Execution& run, Cluster& cluster) {
  run.bulk(describe_nodes(cluster));
  run.reply.type = Reply::Type::verbatim;
}

void slots(Execution& run, Cluster& cluster) { run.reply = describe_slots(cluster); }

void shards(Execution& run, Cluster& cluster) { run.reply = describe_shards(cluster); }

void myid(Execution& run, Cluster& cluster) { run.bulk(cluster.map().own().id); }

void keyslot(Execution& run, Cluster&) { run.number(slot_of(run[2])); }

// False after an error answer.
bool read_slot(Execution& run, std::size_t index, Slot& slot, std::string_view error) {
  std::int64_t number = 0;
  if (!run.integer_between(index, 0, kSlots - 1, number, error)) return false;
  slot = static_cast<Slot>(number);
  return true;
}
constexpr std::string_view kBadSlot = "ERR Invalid or out of range slot";

template <class Use>
void each_key_of(Execution& run, Slot slot, Use use) {
  run.data.catch_up();
  run.data.databases()[0].each([&](const Entry& entry) {
    if (slot_of(entry.name) == slot) use(entry);
  });
}

std::int64_t keys_of(Execution& run, Slot slot) {
  std::int64_t count = 0;
  each_key_of(run, slot, [&count](const Entry&) { ++count; });
  return count;
}

void countkeysinslot(Execution& run, Cluster&) {
  Slot slot = 0;
  if (!read_slot(run, 2, slot, "ERR Invalid slot")) return;
  run.number(keys_of(run, slot));
}

void getkeysinslot(Execution& run, Cluster&) {
  Slot slot = 0;
  std::int64_t most = 0;
  constexpr std::string_view kError = "ERR Invalid slot or number of keys";
  if (!run.integer(3, most) || !read_slot(run, 2, slot, kError)) return;
  if (most < 0) return run.error(kError);
  run.array();
  each_key_of(run, slot, [&](const Entry& entry) {
    if (static_cast<std::int64_t>(run.reply.elements.size()) < most) run.element(entry.name);
  });
}

void assign_slots(Execution& run, Cluster& cluster, bool add) {
  std::vector<Slot> wanted;
  for (std::size_t i = 2; i < run.size(); ++i) {
    Slot slot = 0;
    if (!read_slot(run, i, slot, kBadSlot)) return;
    const bool owned = cluster.map().owner(slot) != kNobody;
    const std::string number = std::to_string(slot);
    if (owned && add) return run.error("ERR Slot " + number + " is already busy");
    if (!owned && !add) return run.error("ERR Slot " + number + " is already unassigned");
    if (std::find(wanted.begin(), wanted.end(), slot) != wanted.end()) {
      return run.error("ERR Slot " + number + " specified multiple times");
    }
    wanted.push_back(slot);
  }
  for (const Slot slot : wanted) cluster.set_owner(slot, add ? cluster.map().self() : kNobody);
  run.ok();
}
void addslots(Execution& run, Cluster& cluster) { assign_slots(run, cluster, true); }
void delslots(Execution& run, Cluster& cluster) { assign_slots(run, cluster, false); }

// The member that an argument names; kNobody after an error answer.
MemberId member_at(Execution& run, Cluster& cluster, std::size_t index, std::string_view unknown) {
  const MemberId id = cluster.map().find(run[index]);
  if (id == kNobody) run.error(std::string(unknown) + std::string(run[index]));
  return id;
}
constexpr std::string_view kStranger = "ERR I don't know about node ";
constexpr std::string_view kUnknownNode = "ERR Unknown node ";

bool is_master_or_error(Execution& run, const Cluster& cluster, MemberId id) {
  if (cluster.map()[id].is_master()) return true;
  run.error("ERR Target node is not a master");
  return false;
}

void start_migrating(Execution& run, Cluster& cluster, Slot slot) {
  ClusterMap& map = cluster.map();
  if (map.owner(slot) != map.self()) {
    return run.error("ERR I'm not the owner of hash slot " + std::to_string(slot));
  }
  const MemberId to = member_at(run, cluster, 4, kStranger);
  if (to == kNobody || !is_master_or_error(run, cluster, to)) return;
  map.migrate(slot, to);
  run.ok();
}

void start_importing(Execution& run, Cluster& cluster, Slot slot) {
  ClusterMap& map = cluster.map();
  if (map.owner(slot) == map.self()) {
    return run.error("ERR I'm already the owner of hash slot " + std::to_string(slot));
  }
  const MemberId from = member_at(run, cluster, 4, kStranger);
  if (from == kNobody || !is_master_or_error(run, cluster, from)) return;
  map.import(slot, from);
  run.ok();
}

void give_slot(Execution& run, Cluster& cluster, Slot slot) {
  ClusterMap& map = cluster.map();
  const MemberId to = member_at(run, cluster, 4, kUnknownNode);
  if (to == kNobody || !is_master_or_error(run, cluster, to)) return;
  const bool gives_away = map.owner(slot) == map.self() && to != map.self();
  const std::int64_t keys = keys_of(run, slot);
  if (gives_away && keys > 0) {
    return run.error("ERR Can't assign hashslot " + std::to_string(slot) +
                     " to a different node while I still hold keys for this hash slot.");
  }
  if (keys == 0) map.migrate(slot, kNobody);
  cluster.set_owner(slot, to);
  if (to == map.self() && map.imported_from(slot) != kNobody) {
    cluster.raise_epoch();  // others must believe us
    map.import(slot, kNobody);
  }
  run.ok();
}

void setslot(Execution& run, Cluster& cluster) {
  ClusterMap& map = cluster.map();
  if (!map.own().is_master()) return run.error("ERR You can use SETSLOT only with masters.");
  Slot slot = 0;
  if (!read_slot(run, 2, slot, kBadSlot)) return;
  if (run.size() == 5 && same_word(run[3], "migrating")) return start_migrating(run, cluster, slot);
  if (run.size() == 5 && same_word(run[3], "importing")) return start_importing(run, cluster, slot);
  if (run.size() == 5 && same_word(run[3], "node")) return give_slot(run, cluster, slot);
  if (run.size() != 4 || !same_word(run[3], "stable")) {
    return run.error("ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP");
  }
  map.migrate(slot, kNobody);
  map.import(slot, kNobody);
  run.ok();
}

void replicas(Execution& run, Cluster& cluster) {
  const MemberId master = member_at(run, cluster, 2, kUnknownNode);
  if (master == kNobody) return;
  if (!cluster.map()[master].is_master()) {
    return run.error("ERR The specified node is not a master");
  }
  run.array();
  cluster.map().each_known([&](MemberId id) {
    if (cluster.map()[id].master == master) run.element(describe_member(cluster, id));
  });
}

// CLUSTER REPLICATE
void replicate(Execution& run, Cluster& cluster) {
  const ClusterMap& map = cluster.map();
  const MemberId master = member_at(run, cluster, 2, kUnknownNode);
  if (master == kNobody) return;
  if (master == map.self()) return run.error("ERR Can't replicate myself");
  if (!map[master].is_master()) {
    return run.error("ERR I can only replicate a master, not a replica.");
  }
  if (map.own().is_master() && (map.own().slots > 0 || run.server.keys() > 0)) {
    return run.error("ERR To set a master the node must be empty and without assigned slots.");
  }
  cluster.follow_master(master);
  run.ok();
}

void failover(Execution& run, Cluster& cluster) {
  Cluster::Failover how = Cluster::Failover::lossless;
  if (run.size() == 3 && same_word(run[2], "force")) {
    how = Cluster::Failover::force;
  } else if (run.size() == 3 && same_word(run[2], "takeover")) {
    how = Cluster::Failover::takeover;
  } else if (run.size() != 2) {
    return run.syntax_error();
  }
  const ClusterMap& map = cluster.map();
  if (map.own().is_master()) {
    return run.error("ERR You should send CLUSTER FAILOVER to a replica");
  }
  const MemberId master = map.own().master;
  if (how == Cluster::Failover::lossless && (map[master].down || !cluster.is_linked(master))) {
    return run.error("ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
  }
  run.ok();
  cluster.begin_failover(how);
}

// CLUSTER MEET host port: of those that the scenario has.
void meet(Execution& run, Cluster& cluster) {
  ClusterMap& map = cluster.map();
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto id = static_cast<MemberId>(i);
    if (map[id].host != run[2] || std::to_string(map[id].port) != run[3]) continue;
    cluster.meet(id);
    return run.ok();
  }
  run.error("ERR Invalid node address specified: " + std::string(run[2]) + ":" +
            std::string(run[3]));
}

void reset(Execution& run, Cluster& cluster) {
  if (run.size() == 3 && !same_word(run[2], "soft") && !same_word(run[2], "hard")) {
    return run.syntax_error();
  }
  if (run.size() > 3) return run.wrong_arity();
  if (cluster.map().own().is_master() && run.server.keys() > 0) {
    return run.error("ERR CLUSTER RESET can't be called with master nodes containing keys");
  }
  cluster.forget_all();
  run.ok();
}

struct Subcommand {
  std::string_view name;
  int arity;  // of the whole command
  void (*run)(Execution& run, Cluster& cluster);
};
constexpr Subcommand kSubcommands[] = {
    {"info", 2, info_of_cluster},
    {"nodes", 2, nodes},
    {"slots", 2, slots},
    {"shards", 2, shards},
    {"myid", 2, myid},
    {"keyslot", 3, keyslot},
    {"countkeysinslot", 3, countkeysinslot},
    {"getkeysinslot", 4, getkeysinslot},
    {"addslots", -3, addslots},
    {"delslots", -3, delslots},
    {"setslot", -4, setslot},
    {"replicas", 3, replicas},
    {"slaves", 3, replicas},
    {"meet", 4, meet},
    {"replicate", 3, replicate},
    {"failover", -2, failover},
    {"reset", -2, reset},
};

bool is_node(Execution& run) {
  if (run.server.cluster() != nullptr) return true;
  run.error("ERR This instance has cluster support disabled");
  return false;
}

void cluster_command(Execution& run) {
  if (!is_node(run)) return;
  for (const Subcommand& each : kSubcommands) {
    if (!same_word(run[1], each.name)) continue;
    const auto size = static_cast<int>(run.size());
    if (each.arity >= 0 ? size == each.arity : size >= -each.arity) {
      return each.run(run, *run.server.cluster());
    }
    return run.error("ERR wrong number of arguments for 'cluster|" + std::string(each.name) +
                     "' command");
  }
  run.error("ERR unknown subcommand '" + std::string(shown_word(run[1], 128)) +
            "'. Try CLUSTER HELP.");
}

void readonly(Execution& run) {
  if (!is_node(run)) return;
  run.client().modes |= kReadsHere;
  run.ok();
}

void readwrite(Execution& run) {
  if (!is_node(run)) return;
  run.client().modes &= ~kReadsHere;
  run.ok();
}

void asking(Execution& run) {
  if (!is_node(run)) return;
  run.client().modes |= kAsking;
  run.ok();
}

constexpr std::uint32_t kClusterFlags = kLoading | kStale;
constexpr CommandSpec kClusterCommands[] = {
    {"readonly", 1, kClusterFlags | kFast, 0, 0, 0, readonly},
    {"readwrite", 1, kClusterFlags | kFast, 0, 0, 0, readwrite},
    {"asking", 1, kFast, 0, 0, 0, asking},
    {"cluster", -2, kStale, 0, 0, 0, cluster_command},
};

}  // namespace

std::span<const CommandSpec> cluster_commands() { return kClusterCommands; }

}  // namespace holdfast::sim::redis
