// ClientProcess: one scenario client as a process of its own (this program, started through
// /proc/self/exe), as the lab sees it: its orders, its lines, its stops and its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/live/child_process.h"
#include "scenarios/live/client_events.h"

namespace holdfast::live {

class ClientProcess {
 public:
  // Starts it and hands it its orders. Throws EnvironmentFailure.
  ClientProcess(const ClientOrders& orders, const std::filesystem::path& log);
  ~ClientProcess();
  ClientProcess(const ClientProcess&) = delete;
  ClientProcess& operator=(const ClientProcess&) = delete;

  const std::string& name() const { return name_; }
  history::ActorId actor() const { return actor_; }
  std::uint32_t incarnation() const { return incarnation_; }

  // Descriptor to wait on for lines; -1 after the last line was read.
  int events() const { return events_; }
  // All lines that have come, without waiting.
  std::vector<ClientLine> lines();
  // Lets a client that waits at a named point go on.
  void acknowledge();

  ChildProcess& process() { return *child_; }
  bool done() const { return done_; }  // its last line was client_done

 private:
  std::string name_;
  history::ActorId actor_;
  std::uint32_t incarnation_;
  int events_ = -1;
  int orders_ = -1;
  bool done_ = false;
  std::string unread_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace holdfast::live
