// INFO and ROLE.
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::string_view kPort = "6379";

class InfoText {
 public:
  void section(std::string_view name) {
    if (!text_.empty()) text_.append("\r\n");
    text_.append("# ").append(name).append("\r\n");
  }
  void line(std::string_view name, std::string_view value) {
    text_.append(name).append(":").append(value).append("\r\n");
  }
  void line(std::string_view name, std::int64_t value) { line(name, std::to_string(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void server_section(Execution& run, InfoText& info) {
  info.section("Server");
  info.line("redis_version", "7.0.15");
  info.line("redis_mode", "standalone");
  info.line("run_id", run.server.run_id());
  info.line("tcp_port", kPort);
  info.line("server_time_usec", run.data.wall_now() / std::chrono::microseconds(1));
  const Duration up = run.server.kernel().now() - run.server.started();
  info.line("uptime_in_seconds", up / std::chrono::seconds(1));
  info.line("hz", run.server.options().hz);
}

void replication_section(Execution& run, InfoText& info) {
  Replication& replication = run.server.replication();
  info.section("Replication");
  info.line("role", run.data.master() ? "master" : "slave");
  if (Replication* master = replication.master()) {
    info.line("master_host", master->server().options().name);
    info.line("master_port", kPort);
    info.line("master_link_status", replication.connected() ? "up" : "down");
    info.line("master_sync_in_progress", std::int64_t{0});
    info.line("slave_read_repl_offset", replication.offset());
    info.line("slave_repl_offset", replication.offset());
    info.line("slave_read_only", std::int64_t{1});
  }
  info.line("connected_slaves", static_cast<std::int64_t>(replication.followers().size()));
  std::size_t index = 0;
  for (const Replication::Follower& follower : replication.followers()) {
    info.line("slave" + std::to_string(index++),
              "ip=" + follower.replica->server().options().name + ",port=" + std::string(kPort) +
                  ",state=" + (follower.online ? "online" : "wait_bgsave") +
                  ",offset=" + std::to_string(follower.acked) + ",lag=0");
  }
  info.line("master_failover_state", "no-failover");
  info.line("master_replid", replication.replid());
  info.line("master_replid2",
            replication.replid2().empty() ? std::string(40, '0') : replication.replid2());
  info.line("master_repl_offset", replication.offset());
  info.line("second_repl_offset", replication.second_offset());
}

void keyspace_section(Execution& run, InfoText& info) {
  info.section("Keyspace");
  run.data.catch_up();
  const Databases& all = run.data.databases();
  for (int i = 0; i < all.in_use(); ++i) {
    std::int64_t keys = 0;
    std::int64_t with_ttl = 0;
    all[i].each([&](const Entry& entry) {
      ++keys;
      with_ttl += entry.deadline_ms != kNoDeadline ? 1 : 0;
    });
    if (keys == 0) continue;
    info.line("db" + std::to_string(i), "keys=" + std::to_string(keys) +
                                            ",expires=" + std::to_string(with_ttl) + ",avg_ttl=0");
  }
}

void info(Execution& run) {
  const auto wanted = [&run](std::string_view section) {
    if (run.size() == 1) return true;
    for (std::size_t i = 1; i < run.size(); ++i) {
      const std::string_view asked = run[i];
      if (same_word(asked, section) || same_word(asked, "all") || same_word(asked, "default") ||
          same_word(asked, "everything")) {
        return true;
      }
    }
    return false;
  };
  InfoText text;
  if (wanted("server")) server_section(run, text);
  if (wanted("replication")) replication_section(run, text);
  if (wanted("keyspace")) keyspace_section(run, text);
  run.bulk(text.text());
}

void role(Execution& run) {
  Replication& replication = run.server.replication();
  run.array();
  if (Replication* master = replication.master()) {
    run.element("slave");
    run.element(master->server().options().name);
    run.reply.elements.push_back(Reply::number(6379));
    run.element(replication.connected() ? "connected" : "connect");
    run.reply.elements.push_back(
        Reply::number(replication.connected() ? replication.offset() : -1));
    return;
  }
  run.element("master");
  run.reply.elements.push_back(Reply::number(replication.offset()));
  std::vector<Reply> replicas;
  for (const Replication::Follower& follower : replication.followers()) {
    if (!follower.online) continue;
    replicas.push_back(
        Reply::array({Reply::bulk(follower.replica->server().options().name), Reply::bulk(kPort),
                      Reply::bulk(std::to_string(follower.acked))}));
  }
  run.reply.elements.push_back(Reply::array(std::move(replicas)));
}

constexpr CommandSpec kCommands[] = {
    {"info", -1, kReads, 0, 0, 0, info},
    {"role", 1, kNotInScript, 0, 0, 0, role},
};

}  // namespace

std::span<const CommandSpec> server_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
