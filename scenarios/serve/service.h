// Service: a scenario's cluster as it is served: ports, faults, control port, the watch for
// possible overlaps of its clients' locks, the record.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/serve/control_port.h"
#include "scenarios/serve/fault_words.h"
#include "scenarios/serve/faults.h"
#include "scenarios/serve/front.h"
#include "scenarios/serve/lock_watch.h"
#include "scenarios/serve/traffic_record.h"

namespace holdfast::serve {

struct ServiceOptions {
  FrontOptions front;
  std::optional<std::uint16_t> control = {};  // 0: a free port
  double scale = 1.0;                         // of the durations in the scenario's file
  std::string out = {};                       // folder of the record; empty: none
};

class Service final : TrafficWatcher, Chronicle {
 public:
  // `say` gets a line about each fault and each possible overlap when it happens. Throws
  // std::system_error when a port is taken or the record cannot be written.
  Service(detail::LoopCore& core, const scenario::Scenario& scenario, const ServiceOptions& options,
          std::function<void(const std::string&)> say);
  ~Service() override;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  Front& front() { return *front_; }
  std::uint16_t control_port() const { return control_ ? control_->port() : std::uint16_t{0}; }
  // One of the words of fault_help(), as on the control port.
  Reply run_fault(const Command& words);
  // "n1 127.0.0.1:40001", then which of the file's faults are not struck and why.
  std::vector<std::string> introduction() const;
  // What is worth saying at the end.
  std::vector<std::string> summary() const;
  const std::vector<PossibleOverlap>& overlaps() const { return overlaps_; }
  std::uint64_t acquisitions() const { return locks_.acquisitions(); }

 private:
  // -- TrafficWatcher
  void opened(const Connection& client, NodeId node) override;
  void commanded(const Connection& client, NodeId node, const Command& command) override;
  void answered(const Connection& client, NodeId node, const Reply& reply, bool told) override;
  void left(const Connection& client, NodeId node) override;
  // -- Chronicle
  void happened(history::Kind kind, NodeId node, std::int64_t a, std::int64_t b) override;
  void fault(const std::string& words) override;

  void overlapped(const PossibleOverlap& overlap);

  scenario::Scenario scenario_;
  std::function<void(const std::string&)> say_;
  LockWatch locks_;
  std::vector<PossibleOverlap> overlaps_;
  std::unique_ptr<TrafficRecord> record_;
  std::unique_ptr<Front> front_;
  std::unique_ptr<Faults> faults_;
  std::unique_ptr<FaultWords> words_;
  std::unique_ptr<ControlPort> control_;
};

}  // namespace holdfast::serve
