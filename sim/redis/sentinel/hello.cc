// Hello messages: how sentinels find each other and learn of newer configurations (FID-T4).
#include <algorithm>
#include <array>
#include <string>

#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

// sentinel's host, port, id, epoch; master's name, host, port, configuration epoch.
using Fields = std::array<std::string_view, 8>;

bool split(std::string_view message, Fields& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t comma = message.find(',');
    const bool last = i + 1 == fields.size();
    if ((comma == std::string_view::npos) != last) return false;
    fields[i] = message.substr(0, comma);
    if (!last) message.remove_prefix(comma + 1);
  }
  return true;
}

NodeAddress address_of(std::string_view host, std::string_view port) {
  return {std::string(host), static_cast<std::uint16_t>(parse_integer(port).value_or(0))};
}

std::uint64_t epoch_of(std::string_view text) {
  return static_cast<std::uint64_t>(parse_integer(text).value_or(0));
}

}  // namespace

void Sentinel::take_hello(std::string_view message) {
  Fields field;
  if (!split(message, field) || field[2] == id_) return;
  MasterSet* const set = find(field[4]);
  if (set == nullptr) return;
  const auto it = std::find_if(set->sentinels.begin(), set->sentinels.end(),
                               [&](const auto& one) { return one->run_id == field[2]; });
  Monitored& sender = it != set->sentinels.end()
                          ? **it
                          : add_sentinel(*set, address_of(field[0], field[1]), field[2]);
  learn_epoch(epoch_of(field[3]));
  const std::uint64_t config_epoch = epoch_of(field[7]);
  if (set->config_epoch < config_epoch) {
    set->config_epoch = config_epoch;
    const NodeAddress master = address_of(field[5], field[6]);
    if (master != set->master.address) {
      tell("+config-update-from", sender);
      switch_master(*set, master);
    }
  }
  sender.hello_heard = now();
}

Monitored& Sentinel::add_sentinel(MasterSet& set, NodeAddress address, std::string_view id) {
  set.sentinels.push_back(
      std::make_unique<Monitored>(*this, set, MonitoredKind::sentinel, std::move(address), now()));
  set.sentinels.back()->run_id = id;
  tell("+sentinel", *set.sentinels.back());
  return *set.sentinels.back();
}

void Sentinel::learn_epoch(std::uint64_t epoch) {
  if (epoch <= epoch_) return;
  epoch_ = epoch;
  tell_plainly("+new-epoch", std::to_string(epoch));
}

int Sentinel::usable_sentinels(const MasterSet& set) const {
  return 1 + static_cast<int>(
                 std::count_if(set.sentinels.begin(), set.sentinels.end(),
                               [](const auto& one) { return !one->is(kSubjectivelyDown); }));
}

}  // namespace holdfast::sim::redis
