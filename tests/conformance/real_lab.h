// RealLab: a row's servers as redis-server processes of its own, each with a clock shim, replicas
// behind proxies.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scenarios/live/proxy.h"
#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_clock.h"
#include "scenarios/live/temporary_folder.h"
#include "tests/conformance/lab.h"
#include "tests/conformance/real_connection.h"

namespace holdfast::conformance {

// Makes the clock stand still at this reading.
void freeze_at(live::ServerClock& clock, Duration wall);

class RealLab final : public Lab {
 public:
  // Starts the servers and waits until replicas are in step. Throws live::EnvironmentFailure.
  explicit RealLab(const Topology& topology);

  bool exact() const override { return false; }
  Duration now() override;
  void sleep(Duration time) override;

  void send(const Connection& connection, std::span<const Command> commands) override;
  void send_half(const Connection& connection, const Command& command) override;
  Answer receive(const Connection& connection, Duration patience) override;
  void close(const Connection& connection, bool reset) override;
  bool connects(const Connection& connection) override;
  void hold_link(const Connection& connection, Way way, bool held) override;
  void drop_next_reply(const Connection& connection) override;

  void step_clock(std::string_view node, Duration by) override;
  void set_clock_rate(std::string_view node, std::int64_t ppm) override;
  void pause(std::string_view node, bool paused) override;
  void kill(std::string_view node) override;
  void note_synced(std::string_view node) override;
  void lose_power(std::string_view node) override;
  void tear_file(std::string_view node, std::int64_t bytes) override;
  void fail_saves(std::string_view node) override;
  void restart(std::string_view node, Persistence persistence) override;
  void promote(std::string_view node) override;
  void follow(std::string_view node, std::string_view master) override;
  void hold_stream(std::string_view replica, bool held) override;
  void cut_stream(std::string_view replica, bool cut) override;
  std::int64_t offset(std::string_view node) override;

 private:
  struct Node {
    std::unique_ptr<live::ServerClock> clock;
    std::unique_ptr<live::RedisProcess> redis;
    live::ProxyLink* stream = nullptr;                       // of a replica, to its master
    std::map<std::filesystem::path, std::uintmax_t> synced;  // sizes of append-only files
  };
  void start(const NodePlan& plan, const Topology& topology);
  Node& node(std::string_view name);
  RealConnection& at(const Connection& connection);
  live::ProxyLink& link(const Connection& connection);
  live::ProxyLink& stream_to(std::string_view node, std::string_view master);

  live::TemporaryFolder folder_;
  live::Proxy proxy_;
  bool linked_;
  std::map<std::string, Node, std::less<>> nodes_;
  std::map<std::string, live::ProxyLink*, std::less<>> links_;  // by connection or replica>master
  std::map<std::string, std::unique_ptr<RealConnection>, std::less<>> connections_;
};

}  // namespace holdfast::conformance
