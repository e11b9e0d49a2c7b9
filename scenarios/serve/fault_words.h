// FaultWords: faults as they are asked for on the control port and by `holdfast fault`:
// `clock n1 +10s`, `pause n2 5s`, `error n1 "OOM command not allowed"`.
#pragma once

#include <string>

#include "lockcore/redis_client.h"
#include "scenarios/serve/faults.h"

namespace holdfast::serve {

class FaultWords {
 public:
  FaultWords(Front& front, Faults& faults, const scenario::Scenario& scenario, Chronicle& chronicle)
      : front_(front), faults_(faults), scenario_(scenario), chronicle_(chronicle) {}

  // Does what the words say (at least one). The answer: OK, lines of text, or an error that says
  // what was expected (and then nothing was done).
  Reply run(const Command& said);

 private:
  Reply run_other(const Command& said);
  Problem heal(NodeId first, NodeId second);
  Problem advance(Duration by);
  Reply strike(const std::string& name);
  std::string status();
  std::string status_line(NodeId node);

  Front& front_;
  Faults& faults_;
  const scenario::Scenario& scenario_;
  Chronicle& chronicle_;
};

// What can be said, one line each.
std::string fault_help();

}  // namespace holdfast::serve
