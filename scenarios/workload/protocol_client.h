// ProtocolClient: the lock of any language, given as data (a protocol file), behind the same face
// as the lock core: acquire() gives a Lease, the Observer is told each step. It does exactly what
// the file says and nothing more; the broken locks of the catalogue are such files.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "lockcore/lock.h"
#include "scenarios/format/model.h"

namespace holdfast::workload {

struct ProtocolSide;

class ProtocolClient {
 public:
  // `process_token` is the token of protocols with "token": "process". All references outlive it.
  ProtocolClient(Env& env, std::vector<Endpoint> nodes, const scenario::Protocol& protocol,
                 std::string process_token, Observer& observer);

  // Of `options` only ttl, wait, retry, retry_jitter and node_deadline count.
  Task<AcquireResult> acquire(std::string key, LockOptions options, std::stop_token stop);

 private:
  std::shared_ptr<ProtocolSide> side_;
};

}  // namespace holdfast::workload
