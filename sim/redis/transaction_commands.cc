// MULTI, EXEC, DISCARD, WATCH, UNWATCH (FID-X8, X9).
#include <iterator>
#include <utility>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void discard_transaction(Instance& server, SessionId id) {
  Session& session = server.sessions()[id];
  if (session.extras) session.extras->queue.clear();
  session.modes &= ~(kInMulti | kBadQueue | kTouched);
  server.watches().forget(id);
  server.interest().review();
}

namespace {

void multi(Execution& run) {
  Session& session = run.client();
  if ((session.modes & kInMulti) != 0) return run.error("ERR MULTI calls can not be nested");
  session.modes |= kInMulti;
  run.ok();
}

void discard(Execution& run) {
  if ((run.client().modes & kInMulti) == 0) return run.error("ERR DISCARD without MULTI");
  discard_transaction(run.server, run.session);
  run.ok();
}

// An answer of several confirmations takes as many places in the array.
void add_answer(Reply answer, std::vector<Reply>& answers) {
  if (answer.type != Reply::Type::push) return answers.push_back(std::move(answer));
  std::move(answer.elements.begin(), answer.elements.end(), std::back_inserter(answers));
}

// The array has a place for each command; what does not find one follows it.
void send_rest(Execution& run, std::size_t places) {
  std::vector<Reply>& answers = run.reply.elements;
  if (answers.size() <= places) return;
  std::vector<Reply> rest(std::move_iterator(answers.begin() + static_cast<std::ptrdiff_t>(places)),
                          std::move_iterator(answers.end()));
  answers.resize(places);
  for (Reply& next : rest) {
    run.server.push(run.session, std::move(run.reply));
    run.reply = std::move(next);
  }
}

void exec(Execution& run) {
  Session& session = run.client();
  if ((session.modes & kInMulti) == 0) return run.error("ERR EXEC without MULTI");
  if (run.server.watches().has_expired(run.session)) session.modes |= kTouched;
  if ((session.modes & kBadQueue) != 0) {
    run.error("EXECABORT Transaction discarded because of previous errors.");
    return discard_transaction(run.server, run.session);
  }
  if ((session.modes & kTouched) != 0) {
    run.reply.type = Reply::Type::null_array;
    return discard_transaction(run.server, run.session);
  }
  // A queued command may change the session (RESET is not queued; CLIENT KILL of itself is).
  const std::vector<QueuedCommand> queue = std::exchange(session.more().queue, {});
  discard_transaction(run.server, run.session);
  run.array();
  for (const QueuedCommand& queued : queue) {
    Reply answer;
    run.server.run_queued(run.session, *queued.spec, queued.command, answer);
    add_answer(std::move(answer), run.reply.elements);
  }
  send_rest(run, queue.size());
}

void watch(Execution& run) {
  Session& session = run.client();
  if ((session.modes & kInMulti) != 0) return run.error("ERR WATCH inside MULTI is not allowed");
  run.ok();
  if ((session.modes & kTouched) != 0) return;  // the transaction fails anyway
  for (std::size_t i = 1; i < run.size(); ++i) {
    run.server.watches().add(run.session, {session.database, run[i]});
  }
  run.server.interest().review();
}

void unwatch(Execution& run) {
  run.server.watches().forget(run.session);
  run.server.interest().review();
  run.client().modes &= ~kTouched;
  run.ok();
}

constexpr std::uint32_t kTransactionFlags = kNotInScript | kLoading | kStale;
constexpr CommandSpec kTransactionCommands[] = {
    {"multi", 1, kNotQueued | kTransactionFlags | kFast | kAllowBusy, 0, 0, 0, multi},
    {"exec", 1, kNotQueued | kRunsQueue | kTransactionFlags, 0, 0, 0, exec},
    {"discard", 1, kNotQueued | kTransactionFlags | kFast | kAllowBusy, 0, 0, 0, discard},
    {"watch", -2, kNotQueued | kTransactionFlags | kFast | kAllowBusy, 1, -1, 1, watch},
    {"unwatch", 1, kTransactionFlags | kFast | kAllowBusy, 0, 0, 0, unwatch},
};

}  // namespace

std::span<const CommandSpec> transaction_commands() { return kTransactionCommands; }

}  // namespace holdfast::sim::redis
