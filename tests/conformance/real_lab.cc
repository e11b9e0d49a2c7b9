#include "tests/conformance/real_lab.h"

#include <time.h>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/proof.h"
#include "tests/conformance/command_words.h"

namespace holdfast::conformance {
namespace {

constexpr std::int64_t kStandingStill = -1'000'000;

const live::ServerBinary& binary() {
  static const live::ServerBinary found = live::find_server_binary();
  return found;
}

scenario::Persistence in_scenario(Persistence persistence) {
  switch (persistence) {
    case Persistence::none:
      return scenario::Persistence::none;
    case Persistence::rdb:
      return scenario::Persistence::rdb;
    case Persistence::aof_no:
      return scenario::Persistence::aof_no;
    case Persistence::aof_everysec:
      return scenario::Persistence::aof_everysec;
    case Persistence::aof_always:
      return scenario::Persistence::aof_always;
  }
  return scenario::Persistence::none;
}

}  // namespace

void freeze_at(live::ServerClock& clock, Duration wall) {
  clock.bend({}, kStandingStill);
  clock.bend(wall - clock.now().time_since_epoch(), kStandingStill);
}

RealLab::RealLab(const Topology& topology) : linked_(topology.linked) {
  std::map<std::string_view, int> replicas;
  for (const NodePlan& plan : topology.plan()) {
    start(plan, topology);
    // A replica counts none of its own: it must not WAIT.
    const bool counted = !plan.replica_of.empty() && node(plan.replica_of).stream == nullptr;
    if (counted) ++replicas[plan.replica_of];
  }
  for (const auto& [master, count] : replicas) node(master).redis->wait_for_replicas(count, 10s);
}

void RealLab::start(const NodePlan& plan, const Topology& topology) {
  const std::string name(plan.name);
  Node& started = nodes_[name];
  started.clock = std::make_unique<live::ServerClock>(folder_.path() / (name + ".clock"),
                                                      live::find_clock_shim());
  if (topology.clock == WallClock::frozen) freeze_at(*started.clock, kEpoch);
  live::RedisOptions options;
  options.name = name;
  options.folder = folder_.path() / name;
  options.persistence = in_scenario(plan.persistence);
  options.environment = started.clock->environment();
  if (!plan.replica_of.empty()) {
    started.stream = &stream_to(name, plan.replica_of);
    options.replica_of = live::MasterAddress{"127.0.0.1", started.stream->port()};
  }
  started.redis = std::make_unique<live::RedisProcess>(binary(), options);
  if (!topology.sweeps) started.redis->ask({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
}

RealLab::Node& RealLab::node(std::string_view name) { return nodes_.find(name)->second; }

live::ProxyLink& RealLab::stream_to(std::string_view node_name, std::string_view master) {
  const std::string name = std::string(node_name) + ">" + std::string(master);
  live::ProxyLink*& link = links_[name];
  if (link == nullptr) {
    link = &proxy_.open(name, node(master).redis->port(), live::Carries::replication);
  }
  return *link;
}

live::ProxyLink& RealLab::link(const Connection& connection) {
  live::ProxyLink*& link = links_[std::string(connection.name)];
  if (link == nullptr) {
    link = &proxy_.open(std::string(connection.name), node(connection.node).redis->port(),
                        live::Carries::commands);
  }
  return *link;
}

RealConnection& RealLab::at(const Connection& connection) {
  auto& open = connections_[std::string(connection.name)];
  if (!open) {
    open = std::make_unique<RealConnection>(linked_ ? link(connection).port()
                                                    : node(connection.node).redis->port());
  }
  return *open;
}

Duration RealLab::now() { return live::host_now().time_since_epoch(); }

void RealLab::sleep(Duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec nap{seconds.count(), (time - seconds).count()};
  nanosleep(&nap, nullptr);
}

void RealLab::send(const Connection& connection, std::span<const Command> commands) {
  std::string bytes;
  for (const Command& command : commands) bytes += wire_text(command);
  RealConnection& open = at(connection);
  if (open.connected()) open.send(bytes);
}

void RealLab::send_half(const Connection& connection, const Command& command) {
  const std::string bytes = wire_text(command);
  at(connection).send(std::string_view(bytes).substr(0, bytes.size() - 3));
}

Answer RealLab::receive(const Connection& connection, Duration patience) {
  RealConnection& open = at(connection);
  const Answer answer =
      open.connected() ? open.receive(patience) : Answer{Answer::Kind::refused, {}, now()};
  if (answer.kind == Answer::Kind::closed || answer.kind == Answer::Kind::refused) {
    connections_.erase(connections_.find(connection.name));
  }
  return answer;
}

void RealLab::close(const Connection& connection, bool reset) {
  if (reset) at(connection).reset();
  connections_.erase(connections_.find(connection.name));
}

bool RealLab::connects(const Connection& connection) {
  return RealConnection(node(connection.node).redis->port()).connected();
}

void RealLab::hold_link(const Connection& connection, Way way, bool held) {
  const auto direction =
      way == Way::to_server ? live::Direction::to_server : live::Direction::to_client;
  if (held) {
    link(connection).hold(direction);
  } else {
    link(connection).release(direction);
  }
}

void RealLab::drop_next_reply(const Connection& connection) {
  link(connection).drop_replies(1, true);
}

void RealLab::step_clock(std::string_view name, Duration by) {
  node(name).clock->bend(by, node(name).clock->rate_ppm());
}

void RealLab::set_clock_rate(std::string_view name, std::int64_t ppm) {
  node(name).clock->bend({}, ppm);
}

void RealLab::pause(std::string_view name, bool paused) {
  if (paused) {
    node(name).redis->stop();
  } else {
    node(name).redis->cont();
  }
}

void RealLab::kill(std::string_view name) { node(name).redis->kill_hard(); }

void RealLab::note_synced(std::string_view name) {
  const auto files = folder_.path() / name / "appendonlydir";
  node(name).synced.clear();
  for (const auto& file : std::filesystem::directory_iterator(files)) {
    node(name).synced[file.path()] = file.file_size();
  }
}

// A dead process's files are whole in the kernel; the power takes what had not reached the disk.
void RealLab::lose_power(std::string_view name) {
  kill(name);
  for (const auto& [file, size] : node(name).synced) std::filesystem::resize_file(file, size);
}

void RealLab::tear_file(std::string_view name, std::int64_t bytes) {
  const auto files = folder_.path() / name / "appendonlydir";
  for (const auto& file : std::filesystem::directory_iterator(files)) {
    if (file.path().extension() != ".aof") continue;
    const auto size = static_cast<std::int64_t>(file.file_size());
    std::filesystem::resize_file(file.path(), static_cast<std::uintmax_t>(size - bytes));
  }
}

// Nothing can take the place of a folder.
void RealLab::fail_saves(std::string_view name) {
  std::filesystem::remove(folder_.path() / name / "dump.rdb");
  std::filesystem::create_directory(folder_.path() / name / "dump.rdb");
}

void RealLab::restart(std::string_view name, Persistence persistence) {
  std::optional<live::MasterAddress> master;
  if (node(name).stream != nullptr) {
    master = live::MasterAddress{"127.0.0.1", node(name).stream->port()};
  }
  node(name).redis->restart(in_scenario(persistence), master);
}

void RealLab::promote(std::string_view name) {
  node(name).redis->promote();
  node(name).stream = nullptr;
}

void RealLab::follow(std::string_view name, std::string_view master) {
  node(name).stream = &stream_to(name, master);
  node(name).redis->follow({"127.0.0.1", node(name).stream->port()});
}

void RealLab::hold_stream(std::string_view replica, bool held) {
  if (held) {
    node(replica).stream->hold(live::Direction::to_client);
  } else {
    node(replica).stream->release(live::Direction::to_client);
  }
}

void RealLab::cut_stream(std::string_view replica, bool cut) {
  if (cut) {
    node(replica).stream->refuse();
  } else {
    node(replica).stream->accept();
  }
}

std::int64_t RealLab::offset(std::string_view name) {
  return node(name).redis->replication_offset();
}

}  // namespace holdfast::conformance
