// ServerClock: bends the wall clock of one real server, by a library preloaded into it.
//
//   ServerClock clock(folder / "n1.clock", find_clock_shim());
//   options.environment = clock.environment();      // before the server starts
//   clock.step(std::chrono::seconds(10), *redis);   // proved by TIME
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/live/proof.h"
#include "scenarios/live/redis_process.h"

struct holdfast_clock_page;

namespace holdfast::live {

// The shim's file: beside this program or one folder above it. Throws EnvironmentFailure.
std::filesystem::path find_clock_shim();

class ServerClock {
 public:
  // Creates the page in `file`; the clock shows the host's wall time until it is bent.
  ServerClock(const std::filesystem::path& file, std::filesystem::path shim);
  ~ServerClock();
  ServerClock(const ServerClock&) = delete;
  ServerClock& operator=(const ServerClock&) = delete;

  // What the server's process needs in its environment.
  std::vector<std::pair<std::string, std::string>> environment() const;

  // The clock jumps by `by`, forwards or backwards.
  Proof step(Duration by, RedisProcess& server);
  // From now on it goes (1 + ppm / 10^6) times as fast as the host's; -10^6 freezes it. No jump.
  Proof set_rate(std::int64_t ppm, RedisProcess& server);
  // The same without proof, for a server that has not started yet.
  void bend(Duration by, std::int64_t ppm);

  // Asks the server for its time and compares; throws EnvironmentFailure when it is not the clock's
  // (within the question's round trip).
  Proof prove(RedisProcess& server) const;

  // What the bent clock shows now.
  WallInstant now() const;
  // How far it is ahead of the host's wall clock now.
  Duration offset() const;
  std::int64_t rate_ppm() const;

 private:
  std::filesystem::path file_;
  std::filesystem::path shim_;
  holdfast_clock_page* page_ = nullptr;  // mapped; written by this process alone
};

}  // namespace holdfast::live
