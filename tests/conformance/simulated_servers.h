// What both simulated labs do with servers and time.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/kernel.h"
#include "sim/redis/nobody_watches.h"
#include "sim/redis/server.h"
#include "tests/conformance/lab.h"

namespace holdfast::conformance {

class SimulatedServers : public Lab {
 public:
  bool exact() const override { return true; }
  Duration now() override;
  void sleep(Duration time) override;

  void step_clock(std::string_view node, Duration by) override;
  void set_clock_rate(std::string_view node, std::int64_t ppm) override;
  void pause(std::string_view node, bool paused) override;
  void kill(std::string_view node) override;
  void note_synced(std::string_view) override {}
  void lose_power(std::string_view node) override;
  void tear_file(std::string_view node, std::int64_t bytes) override;
  void fail_saves(std::string_view node) override;
  void restart(std::string_view node, Persistence persistence) override;
  void promote(std::string_view node) override;
  void follow(std::string_view node, std::string_view master) override;
  void hold_stream(std::string_view replica, bool held) override;
  void cut_stream(std::string_view replica, bool cut) override;
  std::int64_t offset(std::string_view node) override;

 protected:
  virtual sim::Kernel& kernel() = 0;
  virtual sim::RedisServer& server(std::string_view node) = 0;
  // Lets time pass until something calls kernel().stop(); false when so much time has passed.
  bool run_for(Duration time);
  void wait_for_replicas(const Topology& topology);
};

}  // namespace holdfast::conformance
