// ClientProgram: one scenario client's steps, run over the real lock core (or a lock protocol) in
// whichever world `env` stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/task.h"
#include "scenarios/format/model.h"
#include "scenarios/workload/recorder.h"

namespace holdfast::workload {

struct ClientSetup {
  const scenario::Scenario& scenario;
  const scenario::ClientSpec& client;
  Recorder& recorder;
  history::ActorId actor = 0;
  std::uint32_t incarnation = 1;
  std::vector<Endpoint> nodes;  // the lock's addresses, in the order of the file
  Endpoint guarded;             // the server of the guarded resources
};

// Runs the steps from the first to the last. Everything that `setup` refers to outlives the run.
Task<void> run_client(Env& env, ClientSetup setup);

}  // namespace holdfast::workload
