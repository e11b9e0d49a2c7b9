// ClientProgram: one scenario client's steps, run over the real lock core (or a lock protocol) in
// whichever world `env` stands for.
#pragma once

#include <cstdint>
#include <memory>
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

class ClientProgram {
 public:
  // Everything that `setup` refers to outlives the program; the program outlives the process whose
  // `env` it uses: what its locks have still to tell after the last step (late replies, clean-up)
  // comes to it.
  ClientProgram(Env& env, ClientSetup setup);
  ~ClientProgram();
  ClientProgram(const ClientProgram&) = delete;
  ClientProgram& operator=(const ClientProgram&) = delete;

  // Runs the steps from the first to the last. Once.
  Task<void> run();

 private:
  class Steps;
  std::unique_ptr<Steps> steps_;
};

}  // namespace holdfast::workload
