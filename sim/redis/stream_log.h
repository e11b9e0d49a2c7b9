// StreamLog: the replication stream of one server: its byte offset and the backlog from which a
// replica that was away can be served (FID-R1, R11).
#pragma once

#include <cstdint>
#include <vector>

#include "lockcore/redis_client.h"

namespace holdfast::sim::redis {

// Bytes of a command on the wire.
std::int64_t wire_size(const Command& command);

class StreamLog {
 public:
  void set_capacity(std::int64_t bytes) { capacity_ = bytes; }  // repl-backlog-size

  // An empty backlog that begins after `offset`.
  void restart(std::int64_t offset);
  void append(const Command& command);

  std::int64_t offset() const { return offset_; }
  // Everything after `offset` is still there (and `offset` is not ahead of us).
  bool covers(std::int64_t offset) const;
  // Calls use(command) for everything after `offset`.
  template <class Use>
  void after(std::int64_t offset, Use use) const {
    for (std::size_t i = 0; i < used_; ++i) {
      if (records_[i].end > offset) use(records_[i].command);
    }
  }

 private:
  struct Record {
    std::int64_t end = 0;  // offset behind it
    Command command;
  };
  void trim();

  std::int64_t capacity_ = 1 << 20;
  std::int64_t offset_ = 0;
  std::int64_t begins_after_ = 0;
  std::vector<Record> records_;  // the first used_ are in use
  std::size_t used_ = 0;
};

}  // namespace holdfast::sim::redis
