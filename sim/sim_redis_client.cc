#include "sim/sim_redis_client.h"

#include <algorithm>
#include <utility>

#include "sim/client_process.h"
#include "sim/fabric.h"

namespace holdfast::sim {
namespace {

constexpr Duration kFirstPause = std::chrono::milliseconds(5);
constexpr Duration kLongestPause = std::chrono::milliseconds(250);

}  // namespace

SimRedisClient::SimRedisClient(ClientProcess& process, history::NodeId address)
    : process_(&process), address_(address), home_(address) {
  connect();
}

SimRedisClient::~SimRedisClient() {
  if (process_ == nullptr) return;
  leave_network();
  while (!owed_.empty()) {
    const std::uint32_t index = owed_.pop_front();
    process_->record(index).owed = false;
    process_->release_if_over(index);
  }
  process_->client_gone(*this);
}

void SimRedisClient::process_died() {
  leave_network();
  process_ = nullptr;
}

// -- connecting

void SimRedisClient::connect() {
  state_ = State::connecting;
  if (!process_->directory().sentinels(address_).empty()) return ask_sentinel();
  connected_ = home_;
  connection_ = &process_->fabric().open(*this, process_->actor(), home_);
}

// At once the first time after a good connection, then with growing pauses, and only while some
// call waits: the next call after that tries at once.
void SimRedisClient::connect_soon() {
  state_ = State::down;
  if (pause_ == Duration::zero()) {
    pause_ = kFirstPause;
    return connect();
  }
  if (waiting_.empty()) return;
  retry_alarm_ = process_->arm_retry(*this, process_->now() + pause_);
  pause_ = std::min(2 * pause_, kLongestPause);
}

void SimRedisClient::retry() {
  retry_alarm_ = 0;
  if (search_ != Search::none) return search_again();
  if (state_ == State::down) connect();
}

void SimRedisClient::accepted() {
  state_ = State::up;
  ++generation_;
  for (const std::uint32_t index : waiting_) send(index);
  waiting_.clear();
}

void SimRedisClient::leave_network() {
  process_->free_alarm(retry_alarm_);
  if (connection_ != nullptr) process_->fabric().close(*std::exchange(connection_, nullptr));
  ++epoch_;
  search_ = Search::none;
  state_ = State::closed;
}

void SimRedisClient::close() noexcept {
  if (process_ == nullptr || state_ == State::closed) return;
  leave_network();
  fail_owed("connection lost: closed");
  for (const std::uint32_t index : waiting_) {
    CallRecord& record = process_->record(index);
    record.owed = false;
    record.fill(Known::not_executed, "connection closed");
    process_->complete_later(index);
  }
  waiting_.clear();
}

// -- calls

void SimRedisClient::submit(Exchange& exchange) {
  exchange.pending = true;
  if (process_ == nullptr) return;  // nothing of a dead process goes on
  const std::uint32_t index = process_->new_record(exchange);
  CallRecord& record = process_->record(index);
  if (state_ == State::closed) {
    record.fill(Known::not_executed, "connection closed");
    return process_->complete_later(index);
  }
  if (exchange.deadline <= process_->now()) {
    record.fill(Known::not_executed, "not sent: the deadline had passed");
    return process_->complete_later(index);
  }
  record.owed = true;
  process_->arm_deadline(index, *this, exchange.deadline);
  if (state_ == State::up) return send(index);
  waiting_.push_back(index);
  if (state_ == State::down && retry_alarm_ == 0) connect();
}

void SimRedisClient::send(std::uint32_t index) {
  owed_.push_back(index);
  const std::span<Command> commands = process_->record(index).exchange->commands;
  if (!is_in_cluster()) return process_->fabric().send(*connection_, commands);
  std::vector<Command> copies(commands.begin(), commands.end());  // it may be sent elsewhere again
  process_->fabric().send(*connection_, copies);
}

void SimRedisClient::abandon(Exchange& exchange) noexcept {
  exchange.pending = false;
  if (process_ == nullptr) return;
  const auto index = static_cast<std::uint32_t>(exchange.world);
  CallRecord& record = process_->record(index);
  record.exchange = nullptr;
  process_->free_alarm(record.alarm);
  if (std::erase(waiting_, index) > 0) record.owed = false;
  process_->release_if_over(index);
}

void SimRedisClient::deadline_passed(std::uint32_t index) {
  CallRecord& record = process_->record(index);
  if (std::erase(waiting_, index) > 0) {
    record.owed = false;
    record.fill(Known::not_executed, "not connected before the deadline: " + last_error_);
  } else {
    record.late = std::move(record.exchange->late);
    record.fill(Known::maybe_executed, "no answer before the deadline");
  }
  process_->complete_now(index);
}

// -- messages

void SimRedisClient::arrived() { process_->message_arrived(*this); }

void SimRedisClient::read_message() {
  Response response = process_->fabric().read(*connection_);
  if (search_ != Search::none) return searched(std::move(response));
  switch (response.kind) {
    case Response::Kind::accepted:
      return accepted();
    case Response::Kind::reply:
      return replied(std::move(response));
    case Response::Kind::push:
      return;  // the lock core does not subscribe
    case Response::Kind::refused:
    case Response::Kind::closed:
      process_->fabric().forget(*std::exchange(connection_, nullptr));
      last_error_ = std::move(response.reply.text);
      fail_owed("connection lost: " + last_error_);
      if (is_in_cluster()) try_next_node();
      return connect_soon();
  }
}

void SimRedisClient::replied(Response&& response) {
  if (is_in_cluster() && is_sent_on(response)) return;
  pause_ = Duration::zero();  // not when accepted: a server that is full accepts and closes
  const std::uint32_t index = owed_.front();
  CallRecord& record = process_->record(index);
  const std::uint32_t position = record.answered++;
  const bool last = record.answered == record.replies;
  if (last) {
    owed_.pop_front();
    record.owed = false;
  }
  if (record.exchange == nullptr || record.settled) {
    if (record.late.listener != nullptr) {
      process_->tell_late(record, classify(std::move(response.reply)));
    }
    if (last) process_->release_if_over(index);
    return;
  }
  record.exchange->results[position] = classify(std::move(response.reply));
  if (!last) return;
  if (home_ != connected_) move_on();
  record.settled = true;
  process_->free_alarm(record.alarm);
  process_->complete_now(index);
}

// What was sent may have been executed; nobody will say.
void SimRedisClient::fail_owed(std::string_view why) {
  while (!owed_.empty()) {
    const std::uint32_t index = owed_.pop_front();
    CallRecord& record = process_->record(index);
    record.owed = false;
    if (record.exchange == nullptr || record.settled) {
      process_->release_if_over(index);
      continue;
    }
    record.fill(Known::maybe_executed, why);
    process_->free_alarm(record.alarm);
    process_->complete_later(index);
  }
}

}  // namespace holdfast::sim
