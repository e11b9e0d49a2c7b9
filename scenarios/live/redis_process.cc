#include "scenarios/live/redis_process.h"

#include <charconv>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/free_port.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;
using scenario::Persistence;

constexpr Duration kStartPatience = 10s;

void pause(Duration duration) {
  const timespec nap{0, std::chrono::nanoseconds(duration).count()};
  nanosleep(&nap, nullptr);
}

const char* fsync_policy(Persistence persistence) {
  switch (persistence) {
    case Persistence::aof_always:
      return "always";
    case Persistence::aof_everysec:
      return "everysec";
    default:
      return "no";
  }
}

bool has_aof(Persistence persistence) {
  return persistence == Persistence::aof_no || persistence == Persistence::aof_everysec ||
         persistence == Persistence::aof_always;
}

}  // namespace

RedisProcess::RedisProcess(const ServerBinary& binary, RedisOptions options)
    : binary_(binary), options_(std::move(options)) {
  const bool any_port = options_.port == 0;
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) {
    throw EnvironmentFailure("cannot create " + options_.folder.string() + ": " + error.message());
  }
  // A free port may be taken before redis binds it.
  for (int attempts = any_port ? 5 : 1; attempts > 0; --attempts) {
    if (any_port) options_.port = free_port();
    launch();
    if (wait_until_ready()) return;
    if (log_tail().find("Address already in use") == std::string::npos) break;
  }
  fail("does not start: " + child_->how());
}

RedisProcess::~RedisProcess() = default;

std::vector<std::string> RedisProcess::arguments() const {
  const Persistence persistence = options_.persistence;
  std::vector<std::string> result = {"redis-server",
                                     "--bind",
                                     "127.0.0.1",
                                     "--port",
                                     std::to_string(options_.port),
                                     "--dir",
                                     options_.folder.string(),
                                     "--logfile",
                                     (options_.folder / "log").string(),
                                     "--save",
                                     persistence == Persistence::rdb ? "1 1" : "",
                                     "--appendonly",
                                     has_aof(persistence) ? "yes" : "no",
                                     "--appendfsync",
                                     fsync_policy(persistence),
                                     "--repl-diskless-sync-delay",
                                     "0"};
  if (binary_.major >= 7) {
    result.insert(result.end(), {"--enable-debug-command", "local"});
  }
  if (options_.replica_of) {
    result.insert(result.end(), {"--replicaof", options_.replica_of->host,
                                 std::to_string(options_.replica_of->port)});
  }
  result.insert(result.end(), options_.extra.begin(), options_.extra.end());
  return result;
}

void RedisProcess::launch() {
  ChildPlan plan{binary_.path, arguments(), options_.environment};
  plan.output = options_.folder / "output";
  commands_ = std::make_unique<CommandConnection>("127.0.0.1", options_.port);
  child_ = std::make_unique<ChildProcess>(plan);
  killed_ = false;
}

// A server that loads its data answers with an error. The run id tells it from a stranger that
// listens on the same port.
bool RedisProcess::wait_until_ready() {
  const Instant end = host_now() + kStartPatience;
  while (child_->running() && host_now() < end) {
    const auto reply = commands_->try_ask({"INFO", "server"}, 1s);
    const std::string process = reply ? info_field(reply->text, "process_id") : std::string();
    const auto pong = commands_->try_ask({"PING"}, 1s);
    if (pong && !pong->is_error() && process == std::to_string(child_->pid())) return true;
    commands_->drop();
    pause(2ms);
  }
  return false;
}

std::string RedisProcess::log_tail() const {
  constexpr std::size_t kLines = 5;
  std::deque<std::string> lines;
  for (const char* file : {"output", "log"}) {
    std::ifstream in(options_.folder / file);
    for (std::string line; std::getline(in, line);) {
      lines.push_back(line);
      if (lines.size() > kLines) lines.pop_front();
    }
  }
  std::string text;
  for (const auto& line : lines) text += "\n  " + line;
  return text;
}

void RedisProcess::fail(const std::string& what) const {
  throw EnvironmentFailure("redis-server " + options_.name + " (port " +
                           std::to_string(options_.port) + ") " + what + log_tail());
}

Proof RedisProcess::stop() { return child_->stop(); }

Proof RedisProcess::cont() { return child_->cont(); }

Proof RedisProcess::kill_hard() {
  if (const auto why = died()) throw EnvironmentFailure(*why);
  killed_ = true;
  commands_->drop();
  return child_->kill_hard();
}

Proof RedisProcess::restart(Persistence persistence, std::optional<MasterAddress> replica_of) {
  const Instant begun = host_now();
  options_.persistence = persistence;
  options_.replica_of = std::move(replica_of);
  if (persistence == Persistence::none) {
    std::error_code ignored;
    std::filesystem::remove(options_.folder / "dump.rdb", ignored);
    std::filesystem::remove_all(options_.folder / "appendonlydir", ignored);
    std::filesystem::remove(options_.folder / "appendonly.aof", ignored);
  }
  launch();
  if (!wait_until_ready()) fail("does not start again: " + child_->how());
  const Reply size = ask({"DBSIZE"});
  return {begun, host_now(),
          "run id " + info("server", "run_id") + ", " + std::to_string(size.integer) + " keys"};
}

void RedisProcess::expect_role(const std::string& role, const std::string& after) {
  const Reply reply = ask({"ROLE"});
  if (reply.elements.empty() || reply.elements.front().text != role) {
    fail("is not a " + role + " after " + after);
  }
}

Proof RedisProcess::promote() {
  const Instant begun = host_now();
  ask({"REPLICAOF", "NO", "ONE"});
  expect_role("master", "REPLICAOF NO ONE");
  return {begun, host_now(), "ROLE answers master, offset " + std::to_string(replication_offset())};
}

Proof RedisProcess::follow(const MasterAddress& master) {
  const Instant begun = host_now();
  ask({"REPLICAOF", master.host, std::to_string(master.port)});
  expect_role("slave", "REPLICAOF");
  return {begun, host_now(), "ROLE answers slave of port " + std::to_string(master.port)};
}

void RedisProcess::wait_for_replicas(int count, Duration patience) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
  // Something must be in the stream for the replica to confirm: its first acknowledgement counts
  // from the snapshot, and the stream may start up to a second later (FID-R10, FID-W5).
  ask({"PUBLISH", "holdfast:in-step", ""});
  ask({"PING"});  // WAIT counts up to where the stream was after this connection's last command
  const Reply reply =
      ask({"WAIT", std::to_string(count), std::to_string(milliseconds)}, patience + 2s);
  if (reply.is_error() || reply.integer < count) {
    fail("has " + std::to_string(reply.integer) + " replicas in step, not " +
         std::to_string(count) + " " + reply.text);
  }
}

void RedisProcess::save_snapshot() {
  const Reply reply = ask({"SAVE"}, 10s);
  if (!reply.is_ok()) fail("cannot save: " + reply.text);
}

Reply RedisProcess::ask(const Command& command, Duration patience) {
  if (const auto why = died()) throw EnvironmentFailure(*why);
  auto reply = commands_->try_ask(command, patience);
  // The connection may have been closed by a fault since the last command.
  if (!reply && commands_->problem() == "Server closed the connection") {
    reply = commands_->try_ask(command, patience);
  }
  if (!reply) fail("does not answer " + std::string(command[0]) + ": " + commands_->problem());
  return *std::move(reply);
}

std::string RedisProcess::info(const std::string& section, const std::string& field) {
  return info_field(ask({"INFO", section}).text, field);
}

std::int64_t RedisProcess::replication_offset() {
  const Reply reply = ask({"INFO", "replication"});
  const std::string role = info_field(reply.text, "role");
  const std::string text =
      info_field(reply.text, role == "slave" ? "slave_repl_offset" : "master_repl_offset");
  std::int64_t offset = 0;
  std::from_chars(text.data(), text.data() + text.size(), offset);
  return offset;
}

std::optional<std::string> RedisProcess::died() {
  if (killed_ || child_->running()) return std::nullopt;
  return "redis-server " + options_.name + " (port " + std::to_string(options_.port) +
         ") ended by itself: " + child_->how() + log_tail();
}

}  // namespace holdfast::live
