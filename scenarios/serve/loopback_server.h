// LoopbackServer: a simulated cluster on TCP ports of 127.0.0.1, for tests of code that brings its
// own Redis client: it is served by a thread of the test, without a process to start.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/format/model.h"

namespace holdfast::serve {

class LoopbackServer {
 public:
  LoopbackServer();                                    // one master, "n1"
  explicit LoopbackServer(std::string_view scenario);  // the text of a scenario file
  explicit LoopbackServer(const scenario::Scenario& scenario);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  // Throws std::invalid_argument when there is no such node.
  std::uint16_t port(std::string_view node = "n1") const;

  // "pause n1", "crash n1", "failover n1 n1r", "status": what `holdfast fault` takes (and lists
  // with "help"). Its answer; has taken effect when it returns. Throws std::invalid_argument with
  // the reason when it could not.
  std::string fault(const std::string& words);
  // Real time goes on by itself; this lets it jump, for all nodes alike.
  void advance(Duration by);
  // Two clients that were each told that they have the same lock: in words, so far.
  std::vector<std::string> possible_overlaps();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::serve
