// SimRedisClient: RedisClient over the simulated network. Replies are matched by position; a call
// that was given up keeps its place until its reply has come.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/redis_client.h"
#include "reports/history/event.h"
#include "sim/connection.h"
#include "sim/ring.h"
#include "sim/true_time.h"

namespace holdfast::sim {

class ClientProcess;

class SimRedisClient final : public RedisClient, public Caller {
 public:
  // Starts to connect at once. `process` owns what happens to it. Where sentinels look after the
  // address, it asks one of them for the master before each connection and checks the answer by
  // ROLE (FID-T6): an old master that comes back passes that, too. In a cluster the address is
  // where it enters: it goes where MOVED sends it (FID-K6), and to another node when its own is
  // gone.
  SimRedisClient(ClientProcess& process, history::NodeId address);
  ~SimRedisClient() override;

  // A call whose deadline has passed already is not sent: not_executed. Neither was one that still
  // waited for the connection at its deadline.
  void submit(Exchange& exchange) override;
  void abandon(Exchange& exchange) noexcept override;
  std::uint64_t generation() const noexcept override { return generation_; }
  void close() noexcept override;

  // -- for the network
  void arrived() override;
  void unread_is_gone() override { ++epoch_; }

  // -- for the process, when it runs
  std::uint32_t epoch() const {
    return epoch_;
  }  // messages told of before its last change are gone
  void read_message();
  void deadline_passed(std::uint32_t record);
  void retry();  // to connect
  void process_died();

 private:
  enum class State : std::uint8_t { down, connecting, up, closed };
  enum class Search : std::uint8_t { none, asks_sentinel, checks_role };

  void connect();
  void connect_soon();
  void send(std::uint32_t record);
  void accepted();
  void replied(Response&& response);
  void fail_owed(std::string_view why);
  void leave_network();
  // -- the search for the master (master_search.cc)
  void ask_sentinel();
  void ask(history::NodeId node, Command question);
  void searched(Response&& response);
  void found(const Reply& address);
  void stop_asking();
  void search_again();
  // -- a cluster's nodes (moved_client.cc)
  bool is_in_cluster() const;
  bool is_sent_on(const Response& response);
  void move_on();
  void try_next_node();

  ClientProcess* process_;  // null after its end
  history::NodeId address_;
  history::NodeId home_;  // where it connects to: elsewhere in a cluster, it may be
  history::NodeId connected_ = 0;
  State state_ = State::down;
  Search search_ = Search::none;
  std::size_t asked_ = 0;  // sentinels so far
  Connection* connection_ = nullptr;
  std::uint64_t generation_ = 0;
  std::uint32_t epoch_ = 0;
  Duration pause_{};                    // before the next attempt to connect
  std::uint32_t retry_alarm_ = 0;       // plus one; 0: none
  Ring<std::uint32_t> owed_;            // records of calls that were sent, oldest first
  std::vector<std::uint32_t> waiting_;  // for the connection, oldest first
  std::string last_error_ = "no answer to connect";
};

}  // namespace holdfast::sim
