// What a sentinel learns from an INFO answer, and does about it.
#include <algorithm>
#include <string>

#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kRoleSettles = 8000;  // newer configurations may still arrive (FID-T7)
constexpr WallMs kInfoIsOld = 20'000;

// Calls use(name, value) for each line.
template <class Use>
void each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) use(line.substr(0, colon), line.substr(colon + 1));
  }
}

// "ip=n2,port=6379,state=online,..."
std::string_view part(std::string_view value, std::string_view name) {
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(','), value.size());
    const std::string_view pair = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) {
      return pair.substr(name.size() + 1);
    }
  }
  return {};
}

bool names_replica(std::string_view name) {
  return name.starts_with("slave") && name.size() > 5 && name[5] >= '0' && name[5] <= '9';
}

std::int64_t number(std::string_view text) { return parse_integer(text).value_or(0); }

}  // namespace

void Sentinel::take_info(Monitored& instance, std::string_view text) {
  instance.master_link_down = 0;
  bool is_master = instance.reports_master;
  NodeAddress its_master = instance.its_master;
  each_line(text, [&](std::string_view name, std::string_view value) {
    if (name == "run_id" && instance.run_id != value) {
      if (!instance.run_id.empty()) tell("+reboot", instance);
      instance.run_id = value;
    } else if (names_replica(name) && instance.is_master()) {
      NodeAddress address{std::string(part(value, "ip")),
                          static_cast<std::uint16_t>(number(part(value, "port")))};
      add_replica(instance.set, std::move(address));
    } else if (name == "master_link_down_since_seconds") {
      instance.master_link_down = number(value) * 1000;
    } else if (name == "role") {
      is_master = value == "master";
    } else if (name == "master_host") {
      its_master.host = value;
    } else if (name == "master_port") {
      its_master.port = static_cast<std::uint16_t>(number(value));
    } else if (name == "master_link_status") {
      instance.master_link_up = value == "up";
    } else if (name == "slave_priority") {
      instance.priority = number(value);
    } else if (name == "slave_repl_offset") {
      instance.offset = number(value);
    }
  });
  instance.refreshed = now();
  if (!is_master && its_master != instance.its_master) {
    instance.its_master = std::move(its_master);
    instance.its_master_changed = now();
  }
  note_role(instance, is_master);
  if (!tilted_) act_on_role(instance);
}

void Sentinel::add_replica(MasterSet& set, NodeAddress address) {
  const bool known = std::any_of(set.replicas.begin(), set.replicas.end(),
                                 [&](const auto& one) { return one->address == address; });
  if (known) return;
  set.replicas.push_back(
      std::make_unique<Monitored>(*this, set, MonitoredKind::replica, std::move(address), now()));
  tell("+slave", *set.replicas.back());
}

void Sentinel::note_role(Monitored& instance, bool is_master) {
  if (is_master == instance.reports_master) return;
  instance.reports_master = is_master;
  instance.role_reported = now();
  if (!is_master) instance.its_master_changed = now();
  const bool expected = is_master == instance.is_master();
  tell(expected ? "+role-change" : "-role-change", instance,
       is_master ? " new reported role is master" : " new reported role is slave");
}

void Sentinel::act_on_role(Monitored& instance) {
  if (!instance.is_replica()) return;
  if (instance.reports_master) return replica_became_master(instance);
  check_its_master(instance);
  check_reconfiguration(instance);
}

void Sentinel::replica_became_master(Monitored& instance) {
  MasterSet& set = instance.set;
  if (instance.is(kPromoted) && set.master.is(kFailingOver) &&
      set.failover == FailoverState::wait_promotion) {
    set.config_epoch = set.failover_epoch;
    enter(set, FailoverState::reconfigure_replicas);
    tell("+promoted-slave", instance);
    tell("+failover-state-reconf-slaves", set.master);
    say_hello_soon(set);
    return tell_current(set);
  }
  // It came back as a master, or somebody made it one (FID-T7, T8).
  if (instance.is(kPromoted) || !looks_sane(set.master)) return;
  if (!has_been_up_for(instance, kRoleSettles)) return;
  if (now() - instance.role_reported <= kRoleSettles) return;
  send_replica_of(instance, &set.master.address);
  tell("+convert-to-slave", instance);
}

void Sentinel::check_its_master(Monitored& instance) {
  const MasterSet& set = instance.set;
  if (instance.its_master == set.master.address || !looks_sane(set.master)) return;
  if (!has_been_up_for(instance, set.failover_timeout())) return;
  if (now() - instance.its_master_changed <= set.failover_timeout()) return;
  send_replica_of(instance, &set.master.address);
  tell("+fix-slave-config", instance);
}

void Sentinel::check_reconfiguration(Monitored& instance) {
  const MasterSet& set = instance.set;
  if (instance.is(kReconfigureSent) && set.promoted != nullptr &&
      instance.its_master == set.promoted->address) {
    instance.flags ^= kReconfigureSent | kReconfiguring;
    tell("+slave-reconf-inprog", instance);
  }
  if (instance.is(kReconfiguring) && instance.master_link_up) {
    instance.flags ^= kReconfiguring | kReconfigured;
    tell("+slave-reconf-done", instance);
  }
}

bool Sentinel::looks_sane(const Monitored& master) const {
  return master.reports_master && !master.is(kSubjectivelyDown | kObjectivelyDown) &&
         now() - master.refreshed < kInfoIsOld;
}

bool Sentinel::has_been_up_for(const Monitored& instance, WallMs time) const {
  const WallMs down = std::max(instance.subjectively_down_since, instance.objectively_down_since);
  return down == 0 || now() - down > time;
}

}  // namespace holdfast::sim::redis
