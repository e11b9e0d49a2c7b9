// Subjectively and objectively down (FID-T1).
#include <string>

#include "sim/redis/instance.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kYoungLink = 15'000;    // a connection younger than this is not replaced
constexpr WallMs kSilentEvents = 6'000;  // one on which hellos should have come
constexpr WallMs kWrongRolePatience = 20'000;
constexpr WallMs kAskPeriod = 1000;
constexpr WallMs kAnswerLasts = 5000;

}  // namespace

void Sentinel::judge_subjectively(Monitored& instance) {
  Contact& contact = instance.contact;
  const WallMs time = now();
  const WallMs down_after = instance.set.down_after();
  WallMs silent = 0;
  if (contact.unanswered_since != 0) {
    silent = time - contact.unanswered_since;
  } else if (contact.disconnected) {
    silent = time - contact.available;
  }
  if (contact.commands.is_open() && time - contact.commands_opened > kYoungLink &&
      contact.unanswered_since != 0 && time - contact.unanswered_since > down_after / 2 &&
      time - contact.ponged > down_after / 2) {
    contact.commands.close();
    contact.pending = 0;
    contact.disconnected = true;
  }
  if (contact.events.is_open() && time - contact.events_opened > kYoungLink &&
      time - contact.event_heard > kSilentEvents) {
    contact.events.close();
    contact.disconnected = true;
  }
  const bool wrong_role = instance.is_master() && !instance.reports_master &&
                          time - instance.role_reported > down_after + kWrongRolePatience;
  const bool down = silent > down_after || wrong_role;
  if (down == instance.is(kSubjectivelyDown)) return;
  tell(down ? "+sdown" : "-sdown", instance);
  instance.flags ^= kSubjectivelyDown;
  if (down) instance.subjectively_down_since = time;
}

void Sentinel::judge_objectively(MasterSet& set) {
  Monitored& master = set.master;
  int agree = 0;
  if (master.is(kSubjectivelyDown)) {
    agree = 1;
    for (const auto& sentinel : set.sentinels) agree += sentinel->is(kSaidDown) ? 1 : 0;
  }
  const bool down = agree > 0 && agree >= set.options.quorum;
  if (down == master.is(kObjectivelyDown)) return;
  if (down) {
    tell("+odown", master,
         " #quorum " + std::to_string(agree) + "/" + std::to_string(set.options.quorum));
    master.objectively_down_since = now();
  } else {
    tell("-odown", master);
  }
  master.flags ^= kObjectivelyDown;
}

// The question is also the request for a vote once a failover has begun.
void Sentinel::ask_others(MasterSet& set, bool at_once) {
  const WallMs time = now();
  for (const auto& sentinel : set.sentinels) {
    const WallMs age = time - sentinel->master_down_answered;
    if (age > kAnswerLasts) {
      sentinel->flags &= ~std::uint32_t{kSaidDown};
      sentinel->leader.clear();
    }
    if (!set.master.is(kSubjectivelyDown) || sentinel->contact.disconnected) continue;
    if (!at_once && age < kAskPeriod) continue;
    const bool votes = set.failover != FailoverState::none;
    Command question{"SENTINEL", "is-master-down-by-addr", set.master.address.host};
    question.add(std::int64_t{set.master.address.port});
    question.add(static_cast<std::int64_t>(epoch_));
    question.add(votes ? std::string_view(id_) : std::string_view("*"));
    ask(*sentinel, std::move(question), Asked::master_down);
  }
}

void Sentinel::take_master_down(Monitored& from, const Reply& reply) {
  if (reply.elements.size() != 3) return;
  from.master_down_answered = now();
  reply.elements[0].integer == 1 ? from.flags |= kSaidDown
                                 : from.flags &= ~std::uint32_t{kSaidDown};
  if (reply.elements[1].text == "*") return;
  from.leader = reply.elements[1].text;
  from.leader_epoch = static_cast<std::uint64_t>(reply.elements[2].integer);
}

}  // namespace holdfast::sim::redis
