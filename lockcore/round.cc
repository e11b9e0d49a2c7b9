#include "lockcore/round.h"

#include <utility>

#include "lockcore/release.h"

namespace holdfast {

Round::Round(std::shared_ptr<Hold> hold, Kind kind, Instant sent)
    : hold_(std::move(hold)),
      kind_(kind),
      plain_set_(kind == Kind::attempt && hold_->token.attempt() == 1 &&
                 hold_->counter_key.empty()),
      replication_(kind == Kind::attempt ? hold_->terms.on_acquire : hold_->terms.on_renewal),
      sent_(sent),
      token_(hold_->token.text()) {}

ScriptCall Round::script_call() const {
  if (kind_ == Kind::renewal) {
    return {&kExtendScript, {hold_->key}, {token_, hold_->terms.ttl_ms}};
  }
  const auto id_prefix = std::string_view(token_).substr(0, AttemptToken::kIdDigits + 1);
  return {
      &kAcquireScript, {hold_->key, hold_->counter_key}, {token_, id_prefix, hold_->terms.ttl_ms}};
}

Task<Tally<NodeAnswer>> Round::ask_all(std::shared_ptr<Round> round, Instant until,
                                       std::optional<Point> point) {
  Hold& hold = *round->hold_;
  Children<NodeAnswer> children;
  children.reserve(hold.size());
  for (std::size_t node = 0; node < hold.size(); ++node) children.push_back(ask(round, node));

  const Lane lane = round->kind_ == Kind::attempt ? Lane::caller : Lane::watchdog;
  const std::size_t need = hold.terms.quorum;
  co_return co_await quorum(hold.env(), lane, std::move(children), need, until, point);
}

Task<Vote<NodeAnswer>> Round::ask(std::shared_ptr<Round> round, std::size_t node) {
  Vote<NodeAnswer> vote;
  if (!round->may_send()) co_return vote;  // cancelled before it was sent
  Hold& hold = *round->hold_;
  RedisClient& client = *hold.nodes[node];
  const Instant sent = hold.env().now();
  // A renewal that WAITs is not confirmed by a late write alone: unknown it stays.
  LateReply late;
  if (round->replication_.replicas == 0) {
    late.listener = round;
    late.tag = static_cast<std::uint32_t>(node);
  }

  Written written;
  if (round->plain_set_) {
    const std::string& ttl = hold.terms.ttl_ms;
    Command set = {"SET", hold.key, round->token_, "NX", "PX", ttl};
    written = co_await write(client, std::move(set), round->replication_, round->deadline(),
                             std::move(late));
  } else {
    written = co_await eval(client, round->script_call(), round->replication_, round->deadline(),
                            std::move(late), *round);
  }

  const Instant now = hold.env().now();
  vote.value = round->read(std::move(written));
  vote.yes = vote.value.kind == NodeAnswer::Kind::yes;
  round->tell_answered(node, vote.value, now - sent, now);
  round->settle(node, vote.value, now);
  co_return vote;
}

void Round::on_late(std::uint32_t tag, const CallResult& result) {
  const Instant now = hold_->env().now();
  Written written;
  written.result = result;
  const NodeAnswer answer = read(std::move(written));
  tell_answered(tag, answer, now - sent_, now);
  settle(tag, answer, now);
}

NodeAnswer Round::read(Written written) const {
  using Says = NodeAnswer::Kind;
  NodeAnswer answer;
  answer.acknowledged = written.acknowledged;
  Reply& reply = written.result.reply;
  if (written.result.known != Known::answered) {
    answer.text = std::move(reply.text);
    if (written.result.known == Known::not_executed) {
      answer.kind = said_by_redis(answer.text) ? Says::refused : Says::unreached;
    }
    return answer;
  }
  const bool number = reply.type == Reply::Type::integer;
  if (reply.is_ok() || (number && reply.integer > 0)) {
    const bool enough = written.acknowledged >= replication_.replicas;
    answer.kind = enough ? Says::yes : Says::unacknowledged;
    answer.number = reply.integer;
  } else if (reply.is_nil() || (number && (reply.integer < 0 || kind_ == Round::Kind::attempt))) {
    answer.kind = Says::foreign;
  } else if (number) {
    answer.kind = Says::absent;
  }
  return answer;
}

void Round::settle(std::size_t node, const NodeAnswer& answer, Instant now) {
  if (!open_) return;
  const Instant before = hold_->valid_until();
  switch (answer.kind) {
    case NodeAnswer::Kind::yes:
      if (!hold_->confirm(node, sent_, now)) release_again(hold_, node);
      break;
    case NodeAnswer::Kind::foreign:
    case NodeAnswer::Kind::absent:
      hold_->not_mine(node, answer.kind == NodeAnswer::Kind::foreign, now);
      break;
    default:
      return;  // an unknown answer changes nothing
  }
  if (!hold_->armed() || hold_->valid_until() == before) return;
  LockEvent moved = hold_->event(LockEvent::Kind::valid_until_moved, now);
  moved.token = token_;
  moved.node = static_cast<std::uint32_t>(node);
  moved.valid_until = hold_->valid_until();
  hold_->observer().on_event(moved);
}

void Round::tell_answered(std::size_t node, const NodeAnswer& answer, Duration round_trip,
                          Instant now) {
  if (answer.kind == NodeAnswer::Kind::unknown || answer.kind == NodeAnswer::Kind::unreached) {
    return;
  }
  LockEvent answered = hold_->event(LockEvent::Kind::node_answered, now);
  answered.token = token_;
  answered.node = static_cast<std::uint32_t>(node);
  answered.yes = answer.kind == NodeAnswer::Kind::yes;
  answered.renewal = kind_ == Round::Kind::renewal;
  answered.round_trip = round_trip;
  answered.text = answer.text;
  hold_->observer().on_event(answered);
}

}  // namespace holdfast
