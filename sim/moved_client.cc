// How a client of a cluster finds the node of its key (FID-K6).
#include <algorithm>
#include <utility>

#include "sim/client_process.h"
#include "sim/fabric.h"
#include "sim/sim_redis_client.h"

namespace holdfast::sim {

bool SimRedisClient::is_in_cluster() const {
  return !process_->directory().cluster(address_).empty();
}

// "MOVED 3300 n2:6379": the command goes there, as soon as nothing else is owed here. One that
// waits no longer, or is one of several, is answered as it is.
bool SimRedisClient::is_sent_on(const Response& response) {
  const std::string& text = response.reply.text;
  if (!response.reply.is_error() || !text.starts_with("MOVED ")) return false;
  const std::size_t host = text.rfind(' ') + 1;
  const history::NodeId node =
      process_->directory().address(std::string_view(text).substr(host, text.rfind(':') - host));
  if (node == 0) return false;
  home_ = node;
  const std::uint32_t index = owed_.front();
  const CallRecord& record = process_->record(index);
  if (record.replies != 1 || record.exchange == nullptr || record.settled) return false;
  owed_.pop_front();
  waiting_.push_back(index);
  move_on();
  return true;
}

void SimRedisClient::move_on() {
  if (!owed_.empty() || home_ == connected_) return;
  process_->fabric().close(*std::exchange(connection_, nullptr));
  ++epoch_;
  connect();
}

void SimRedisClient::try_next_node() {
  const auto nodes = process_->directory().cluster(address_);
  const auto here = std::find(nodes.begin(), nodes.end(), connected_);
  home_ = here == nodes.end() || here + 1 == nodes.end() ? nodes.front() : *(here + 1);
}

}  // namespace holdfast::sim
