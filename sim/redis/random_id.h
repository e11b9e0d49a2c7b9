// The 40 hexadecimal digits that Redis draws for a run or a replication history. Here they follow
// from the node and a count: unique, and equal in every replay.
#pragma once

#include <cstdint>
#include <string>

#include "reports/history/event.h"

namespace holdfast::sim::redis {

inline void make_random_id(history::NodeId node, std::uint32_t count, std::string& id) {
  std::uint64_t state = (std::uint64_t{node} << 32) | count;
  id.clear();
  while (id.size() < 40) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t word = state;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    word ^= word >> 31;
    for (int digit = 0; digit < 8; ++digit)
      id.push_back("0123456789abcdef"[(word >> (4 * digit)) & 15]);
  }
}

}  // namespace holdfast::sim::redis
