// A tiny world for simulated redis-servers: a kernel, a host that records replies, a watcher that
// records what it is told as lines of text.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/server.h"

namespace holdfast::sim {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

inline std::string show(const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::nil:
      return "nil";
    case Reply::Type::status:
      return "+" + reply.text;
    case Reply::Type::error:
      return "-" + reply.text;
    case Reply::Type::integer:
      return ":" + std::to_string(reply.integer);
    case Reply::Type::bulk:
      return reply.text;
    case Reply::Type::null_array:
      return "nil*";
    case Reply::Type::null:
      return "_";
    case Reply::Type::real:
      return "," + reply.text;
    case Reply::Type::boolean:
      return reply.integer != 0 ? "#t" : "#f";
    case Reply::Type::verbatim:
      return "=" + reply.text;
    case Reply::Type::array:
    case Reply::Type::map:
    case Reply::Type::set:
    case Reply::Type::push:
      break;
  }
  const bool plain = reply.type == Reply::Type::array;
  std::string text = plain                             ? "["
                     : reply.type == Reply::Type::map  ? "%["
                     : reply.type == Reply::Type::push ? ">["
                                                       : "~[";
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    text += (i == 0 ? "" : " ") + show(reply.elements[i]);
  }
  return text + "]";
}

class RecordingHost : public ServerHost {
 public:
  explicit RecordingHost(Kernel& kernel) : kernel_(kernel) {}
  void send_reply(SessionId session, Reply reply) override {
    replies.push_back({session, show(reply), kernel_.now()});
  }
  void send_push(SessionId session, Reply message) override {
    pushes.push_back({session, show(message), kernel_.now()});
  }
  void close_session(SessionId session) override { closed.push_back(session); }
  Duration replication_delay(history::NodeId, history::NodeId) override { return delay; }

  struct Sent {
    SessionId session;
    std::string text;
    TrueTime at;
  };
  std::vector<Sent> replies;
  std::vector<Sent> pushes;
  std::vector<SessionId> closed;
  Duration delay = milliseconds(1);

 private:
  Kernel& kernel_;
};

// Watches keys whose name begins with "lock" or "list". Lines: "<true ms> n<node> <what> ...".
class RecordingWatcher : public ServerWatcher {
 public:
  explicit RecordingWatcher(Kernel& kernel) : kernel_(kernel) {}
  std::uint16_t watch(history::NodeId, std::string_view key) override {
    ++asked;
    return key.starts_with("lock") || key.starts_with("list") ? 7 : 0;
  }
  void key_set(const Key& key, std::string_view previous) override {
    line(key, "set").append(previous.empty() ? "" : " was=" + std::string(previous));
    deadline(key);
  }
  void key_ttl_changed(const Key& key) override {
    line(key, "ttl");
    deadline(key);
  }
  void key_deleted(const Key& key) override { line(key, "deleted"); }
  void key_expired(const Key& key) override { line(key, "expired"); }
  void key_revived(const Key& key) override {
    line(key, "revived");
    deadline(key);
  }
  void key_dropped(const Key& key, history::DropCause cause) override {
    line(key, "dropped").append(" cause=" + std::to_string(static_cast<int>(cause)));
  }
  void list_appended(const Key& key, std::string_view element) override {
    line(key, "appended").append(" ").append(element);
  }
  void command_executed(const Key& key, const Command& command, bool changed) override {
    std::string& text = line(key, "command").append(changed ? " changed" : " unchanged");
    text.append(" ").append(command[0]);
  }

  // Takes the lines since the last call; those of commands only when asked.
  std::vector<std::string> take(bool commands = false) {
    std::vector<std::string> taken;
    for (std::string& text : lines) {
      if (commands || text.find(" command ") == std::string::npos) taken.push_back(text);
    }
    lines.clear();
    return taken;
  }
  std::vector<std::string> lines;
  int asked = 0;

 private:
  static std::string ms(std::int64_t nanos) {
    std::string text = std::to_string(nanos / 1'000'000);
    if (nanos % 1'000'000 != 0)
      text += "." + std::to_string(nanos % 1'000'000 + 1'000'000).substr(1);
    return text;
  }
  std::string& line(const Key& key, const char* what) {
    EXPECT_EQ(key.watch, 7);
    std::string text = ms(kernel_.now().time_since_epoch().count());
    text.append(" n").append(std::to_string(key.node)).append(" ").append(what);
    text.append(" ").append(key.value).append(" by=").append(std::to_string(key.actor));
    lines.push_back(text);
    return lines.back();
  }
  void deadline(const Key& key) {
    lines.back().append(" until=").append(key.deadline < 0 ? std::to_string(key.deadline)
                                                           : ms(key.deadline));
  }
  Kernel& kernel_;
};

inline constexpr std::int64_t kEpochMs = 1'700'000'000'000;

class RedisFixture : public testing::Test {
 public:
  RedisFixture() : host(kernel), watcher(kernel) {
    kernel.reset(1);
    add(1, Persistence::none);
  }

  // Nodes count from 1; the first is there already.
  RedisServer& add(history::NodeId node, Persistence persistence, Duration wall_ahead = {},
                   std::int64_t ppm = 0) {
    auto server = std::make_unique<RedisServer>(kernel, host, watcher);
    ServerOptions options;
    options.name = "n" + std::to_string(node);
    options.node = node;
    options.persistence = persistence;
    server->reset(options, Clock(milliseconds(kEpochMs) + wall_ahead, ppm));
    servers[node] = std::move(server);
    sessions[node] = servers[node]->open_session(kActor);
    return *servers[node];
  }
  RedisServer& node(history::NodeId id) { return *servers[id]; }

  // What the server answers at once; "none" when it answers later.
  std::string on(history::NodeId id, SessionId session, Command command) {
    const std::size_t before = host.replies.size();
    node(id).receive(session, std::move(command));
    if (host.replies.size() == before) return "none";
    EXPECT_EQ(host.replies[before].session, session);
    return host.replies[before].text;
  }
  std::string on(history::NodeId id, Command command) {
    return on(id, sessions[id], std::move(command));
  }
  std::string call(Command command) { return on(1, std::move(command)); }
  template <class... Text>
  std::string run(Text... text) {
    return call(Command{std::string_view(text)...});
  }
  // EVAL without keys or arguments.
  std::string eval(std::string_view body) { return call(Command{"EVAL", body, "0"}); }

  // Lets the world run until this time.
  void at(Duration time) {
    kernel.at(TrueTime(time), {[](void*, std::uint64_t) {}, nullptr, 0, 1});
    kernel.run(TrueTime(time), 1'000'000);
  }
  void at_ms(std::int64_t time) { at(milliseconds(time)); }

  static constexpr history::ActorId kActor = 3;
  using Lines = std::vector<std::string>;

  Kernel kernel;
  RecordingHost host;
  RecordingWatcher watcher;
  std::map<history::NodeId, std::unique_ptr<RedisServer>> servers;
  std::map<history::NodeId, SessionId> sessions;
};

}  // namespace holdfast::sim
