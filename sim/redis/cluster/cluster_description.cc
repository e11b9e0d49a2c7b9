#include "sim/redis/cluster/cluster_description.h"

#include <algorithm>

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr int kBusOffset = 10000;  // the port of the bus, behind that of clients

std::string flags_of(const ClusterMap& map, MemberId id) {
  const ClusterMember& member = map[id];
  std::string flags = id == map.self() ? "myself," : "";
  flags += member.is_master() ? "master" : "slave";
  if (member.maybe_down && !member.down) flags += ",fail?";
  if (member.down) flags += ",fail";
  return flags;
}

std::string range_text(const SlotRange& range) {
  std::string text = std::to_string(range.first);
  return range.first == range.last ? text : text + "-" + std::to_string(range.last);
}

struct Share {
  SlotRange slots;
  MemberId owner;
};

std::vector<Share> shares(const ClusterMap& map) {
  std::vector<Share> all;
  map.each_known([&](MemberId id) {
    for (const SlotRange& range : map.ranges(id)) all.push_back({range, id});
  });
  std::sort(all.begin(), all.end(),
            [](const Share& a, const Share& b) { return a.slots.first < b.slots.first; });
  return all;
}

template <class Use>
void each_replica(const ClusterMap& map, MemberId master, Use use) {
  map.each_known([&](MemberId id) {
    if (map[id].master == master) use(id);
  });
}

Reply address_of(const Cluster& cluster, MemberId id) {
  const ClusterMember& member = cluster.map()[id];
  std::vector<Reply> fields = {Reply::bulk(member.host), Reply::number(member.port),
                               Reply::bulk(member.id)};
  if (!cluster.server().version().old_texts) {
    fields.emplace_back();
    fields.back().type = Reply::Type::map;
  }
  return Reply::array(std::move(fields));
}

Reply describe_shard_node(const Cluster& cluster, MemberId id) {
  const ClusterMember& member = cluster.map()[id];
  const std::int64_t offset =
      id == cluster.map().self() ? cluster.server().replication().offset() : member.offset;
  Reply node;
  node.type = Reply::Type::map;
  const auto add = [&node](std::string_view name, Reply value) {
    node.elements.push_back(Reply::bulk(name));
    node.elements.push_back(std::move(value));
  };
  add("id", Reply::bulk(member.id));
  add("port", Reply::number(member.port));
  add("ip", Reply::bulk(member.host));
  add("endpoint", Reply::bulk(member.host));
  add("role", Reply::bulk(member.is_master() ? "master" : "replica"));
  add("replication-offset", Reply::number(offset));
  add("health", Reply::bulk(member.down ? "fail" : "online"));
  return node;
}

}  // namespace

std::string describe_member(const Cluster& cluster, MemberId id) {
  const ClusterMap& map = cluster.map();
  const ClusterMember& member = map[id];
  const bool self = id == map.self();
  const std::uint64_t epoch = map[map.master_of(id)].config_epoch;
  std::string line = member.id + " " + member.address() + "@" +
                     std::to_string(member.port + kBusOffset) + " " + flags_of(map, id) + " ";
  line += member.is_master() ? "-" : map[member.master].id;
  line += " " + std::to_string(member.ping_sent_ms) + " " + std::to_string(member.pong_ms) + " " +
          std::to_string(epoch);
  line += self || cluster.is_linked(id) ? " connected" : " disconnected";
  for (const SlotRange& range : map.ranges(id)) line += " " + range_text(range);
  if (!self) return line;
  for (const auto& [slot, to] : map.migrating()) {
    line += " [" + std::to_string(slot) + "->-" + map[to].id + "]";
  }
  for (const auto& [slot, from] : map.importing()) {
    line += " [" + std::to_string(slot) + "-<-" + map[from].id + "]";
  }
  return line;
}

std::string describe_nodes(const Cluster& cluster) {
  std::string text;
  cluster.map().each_known(
      [&](MemberId id) { text.append(describe_member(cluster, id)).append("\n"); });
  return text;
}

Reply describe_slots(const Cluster& cluster) {
  const ClusterMap& map = cluster.map();
  Reply all = Reply::array({});
  for (const Share& share : shares(map)) {
    Reply row = Reply::array({Reply::number(share.slots.first), Reply::number(share.slots.last),
                              address_of(cluster, share.owner)});
    each_replica(map, share.owner, [&](MemberId id) {
      if (!map[id].down) row.elements.push_back(address_of(cluster, id));
    });
    all.elements.push_back(std::move(row));
  }
  return all;
}

Reply describe_shards(Cluster& cluster) {
  const ClusterMap& map = cluster.map();
  Reply all = Reply::array({});
  map.each_known([&](MemberId master) {
    if (!map[master].is_master()) return;
    Reply slots = Reply::array({});
    for (const SlotRange& range : map.ranges(master)) {
      slots.elements.push_back(Reply::number(range.first));
      slots.elements.push_back(Reply::number(range.last));
    }
    Reply nodes = Reply::array({describe_shard_node(cluster, master)});
    each_replica(map, master,
                 [&](MemberId id) { nodes.elements.push_back(describe_shard_node(cluster, id)); });
    Reply shard;
    shard.type = Reply::Type::map;
    shard.elements = {Reply::bulk("slots"), std::move(slots), Reply::bulk("nodes"),
                      std::move(nodes)};
    all.elements.push_back(std::move(shard));
  });
  return all;
}

std::string describe_state(const Cluster& cluster) {
  const ClusterMap& map = cluster.map();
  std::size_t assigned = 0;
  std::size_t doubted = 0;
  std::size_t failed = 0;
  std::size_t members = 0;
  map.each_known([&](MemberId id) {
    ++members;
    assigned += map[id].slots;
    if (map[id].down) {
      failed += map[id].slots;
    } else if (map[id].maybe_down) {
      doubted += map[id].slots;
    }
  });
  std::string text;
  const auto line = [&text](std::string_view name, std::string_view value) {
    text.append(name).append(":").append(value).append("\r\n");
  };
  const auto number = [&line](std::string_view name, std::uint64_t value) {
    line(name, std::to_string(value));
  };
  line("cluster_state", cluster.is_ok() ? "ok" : "fail");
  number("cluster_slots_assigned", assigned);
  number("cluster_slots_ok", assigned - doubted - failed);
  number("cluster_slots_pfail", doubted);
  number("cluster_slots_fail", failed);
  number("cluster_known_nodes", members);
  number("cluster_size", map.masters_with_slots());
  number("cluster_current_epoch", map.epoch);
  number("cluster_my_epoch", map[map.master_of(map.self())].config_epoch);
  number("cluster_stats_messages_sent", cluster.messages_sent());
  number("cluster_stats_messages_received", cluster.messages_received());
  number("total_cluster_links_buffer_limit_exceeded", 0);
  return text;
}

}  // namespace holdfast::sim::redis
