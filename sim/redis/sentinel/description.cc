#include "sim/redis/sentinel/description.h"

#include <utility>

namespace holdfast::sim::redis {

namespace {

class Fields {
 public:
  Fields() { map_.type = Reply::Type::map; }
  void add(std::string_view name, std::string_view value) {
    map_.elements.push_back(Reply::bulk(name));
    map_.elements.push_back(Reply::bulk(value));
  }
  void add(std::string_view name, std::int64_t value) { add(name, std::to_string(value)); }
  Reply take() { return std::move(map_); }

 private:
  Reply map_;
};

std::string flags_of(const Monitored& instance) {
  struct FlagWord {
    bool is_set;
    std::string_view text;
  };
  const FlagWord words[] = {
      {instance.is(kSubjectivelyDown), "s_down"},
      {instance.is(kObjectivelyDown), "o_down"},
      {true, kind_name(instance.kind)},
      {instance.contact.disconnected, "disconnected"},
      {instance.is(kSaidDown), "master_down"},
      {instance.is(kFailingOver), "failover_in_progress"},
      {instance.is(kPromoted), "promoted"},
      {instance.is(kReconfigureSent), "reconf_sent"},
      {instance.is(kReconfiguring), "reconf_inprog"},
      {instance.is(kReconfigured), "reconf_done"},
      {instance.is(kForced), "force_failover"},
  };
  std::string text;
  for (const FlagWord& word : words) {
    if (word.is_set) text.append(text.empty() ? "" : ",").append(word.text);
  }
  return text;
}

std::string_view state_name(FailoverState state) {
  constexpr std::string_view kNames[] = {
      "none",           "wait_start",    "select_slave", "send_slaveof_noone",
      "wait_promotion", "reconf_slaves", "update_config"};
  return kNames[static_cast<std::size_t>(state)];
}

void add_contact(Fields& fields, const Monitored& instance, WallMs now) {
  const Contact& contact = instance.contact;
  fields.add("link-pending-commands", contact.pending);
  fields.add("link-refcount", 1);
  if (instance.is(kFailingOver)) fields.add("failover-state", state_name(instance.set.failover));
  fields.add("last-ping-sent", contact.unanswered_since == 0 ? 0 : now - contact.unanswered_since);
  fields.add("last-ok-ping-reply", now - contact.available);
  fields.add("last-ping-reply", now - contact.ponged);
  if (instance.is(kSubjectivelyDown)) {
    fields.add("s-down-time", now - instance.subjectively_down_since);
  }
  if (instance.is(kObjectivelyDown)) {
    fields.add("o-down-time", now - instance.objectively_down_since);
  }
  fields.add("down-after-milliseconds", instance.set.down_after());
}

void add_master(Fields& fields, const MasterSet& set) {
  fields.add("config-epoch", static_cast<std::int64_t>(set.config_epoch));
  fields.add("num-slaves", static_cast<std::int64_t>(set.replicas.size()));
  fields.add("num-other-sentinels", static_cast<std::int64_t>(set.sentinels.size()));
  fields.add("quorum", set.options.quorum);
  fields.add("failover-timeout", set.failover_timeout());
  fields.add("parallel-syncs", set.options.parallel_syncs);
}

void add_replica(Fields& fields, const Monitored& replica) {
  fields.add("master-link-down-time", replica.master_link_down);
  fields.add("master-link-status", replica.master_link_up ? "ok" : "err");
  fields.add("master-host", replica.its_master.host.empty() ? "?" : replica.its_master.host);
  fields.add("master-port", replica.its_master.port);
  fields.add("slave-priority", replica.priority);
  fields.add("slave-repl-offset", replica.offset);
  fields.add("replica-announced", 1);
}

void add_sentinel(Fields& fields, const Monitored& sentinel, WallMs now) {
  fields.add("last-hello-message", now - sentinel.hello_heard);
  fields.add("voted-leader", sentinel.leader.empty() ? "?" : sentinel.leader);
  fields.add("voted-leader-epoch", static_cast<std::int64_t>(sentinel.leader_epoch));
}

}  // namespace

std::string name_of(const Monitored& instance) {
  switch (instance.kind) {
    case MonitoredKind::master:
      return instance.set.options.name;
    case MonitoredKind::replica:
      return instance.address.host + ":" + std::to_string(instance.address.port);
    case MonitoredKind::sentinel:
      return instance.run_id;
  }
  return {};
}

std::string_view kind_name(MonitoredKind kind) {
  constexpr std::string_view kNames[] = {"master", "slave", "sentinel"};
  return kNames[static_cast<std::size_t>(kind)];
}

Reply describe(const Monitored& instance, WallMs now) {
  Fields fields;
  fields.add("name", name_of(instance));
  fields.add("ip", instance.address.host);
  fields.add("port", instance.address.port);
  fields.add("runid", instance.run_id);
  fields.add("flags", flags_of(instance));
  add_contact(fields, instance, now);
  if (!instance.is_sentinel()) {
    fields.add("info-refresh", instance.refreshed == 0 ? 0 : now - instance.refreshed);
    fields.add("role-reported", instance.reports_master ? "master" : "slave");
    fields.add("role-reported-time", now - instance.role_reported);
  }
  if (instance.is_master()) add_master(fields, instance.set);
  if (instance.is_replica()) add_replica(fields, instance);
  if (instance.is_sentinel()) add_sentinel(fields, instance, now);
  return fields.take();
}

std::string info_line(const MasterSet& set) {
  std::string_view status = "ok";
  if (set.master.is(kObjectivelyDown)) {
    status = "odown";
  } else if (set.master.is(kSubjectivelyDown)) {
    status = "sdown";
  }
  const NodeAddress& address = set.master.address;
  std::string text = "name=" + set.options.name;
  text.append(",status=").append(status);
  text.append(",address=").append(address.host).append(":").append(std::to_string(address.port));
  text.append(",slaves=").append(std::to_string(set.replicas.size()));
  return text.append(",sentinels=").append(std::to_string(set.sentinels.size() + 1));
}

}  // namespace holdfast::sim::redis
