// How a client finds the master that sentinels look after (FID-T6).
#include <utility>

#include "sim/client_process.h"
#include "sim/fabric.h"
#include "sim/sim_redis_client.h"

namespace holdfast::sim {
namespace {

constexpr Duration kPatience = std::chrono::milliseconds(200);  // with one sentinel or server

}  // namespace

// One after the other, beginning with the one that answered last.
void SimRedisClient::ask_sentinel() {
  const auto sentinels = process_->directory().sentinels(address_);
  search_ = Search::asks_sentinel;
  ask(sentinels[asked_ % sentinels.size()],
      Command{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", process_->directory().name(address_)});
}

void SimRedisClient::ask(history::NodeId node, Command question) {
  connection_ = &process_->fabric().open(*this, process_->actor(), node);
  process_->fabric().send(*connection_, {&question, 1});
  retry_alarm_ = process_->arm_retry(*this, process_->now() + kPatience);
}

void SimRedisClient::searched(Response&& response) {
  switch (response.kind) {
    case Response::Kind::accepted:
    case Response::Kind::push:
      return;
    case Response::Kind::refused:
    case Response::Kind::closed:
      process_->fabric().forget(*std::exchange(connection_, nullptr));
      last_error_ = std::move(response.reply.text);
      return search_again();
    case Response::Kind::reply:
      break;
  }
  process_->free_alarm(retry_alarm_);
  if (search_ == Search::asks_sentinel) return found(response.reply);
  const auto& role = response.reply.elements;
  if (role.empty() || role[0].text != "master") {
    last_error_ = "it is no master";
    return search_again();
  }
  search_ = Search::none;
  accepted();
}

void SimRedisClient::found(const Reply& address) {
  const history::NodeId node =
      address.elements.size() == 2 ? process_->directory().address(address.elements[0].text) : 0;
  stop_asking();
  if (node == 0) {
    last_error_ = "the sentinel knows no such master";
    return search_again();
  }
  search_ = Search::checks_role;
  ask(node, Command{"ROLE"});
}

void SimRedisClient::stop_asking() {
  process_->free_alarm(retry_alarm_);
  if (connection_ != nullptr) process_->fabric().close(*std::exchange(connection_, nullptr));
  ++epoch_;
}

void SimRedisClient::search_again() {
  stop_asking();
  if (search_ == Search::asks_sentinel) ++asked_;
  search_ = Search::none;
  connect_soon();
}

}  // namespace holdfast::sim
