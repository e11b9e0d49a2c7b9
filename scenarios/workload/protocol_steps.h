// The steps of a lock protocol, sent to its nodes: exactly what the file says and nothing more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/observer.h"
#include "lockcore/task.h"
#include "scenarios/format/model.h"

namespace holdfast::workload {

// One process's side of a protocol; lives as long as anything of it runs.
struct ProtocolSide {
  Env& env;
  std::vector<Endpoint> nodes;
  const scenario::Protocol& protocol;  // outlives the run
  std::string process_token;
  Observer& observer;
  std::uint64_t acquisitions = 0;
};

// What one use of the protocol's steps works on.
struct ProtocolUse {
  std::string key;
  std::string token;
  Duration lease{};
  Duration node_deadline{};
};

enum class StepsEnd : std::uint8_t {
  done,
  refused,  // a step was answered otherwise than the file expects
  unknown,  // a step had no answer
};

// Runs the steps in order, each on the first node, or with "quorum" on all (one after the other
// when "sequential") with a majority as expected. Between two steps the client passes
// Point::protocol_step. `steps` are of the protocol.
Task<StepsEnd> run_steps(std::shared_ptr<ProtocolSide> side,
                         const std::vector<scenario::ProtocolStep>& steps, ProtocolUse use);

// A random token of 128 bits, as 32 hex digits.
std::string random_token(Env& env);

}  // namespace holdfast::workload
