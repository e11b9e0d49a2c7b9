#include "scenarios/serve/fault_words.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "scenarios/format/duration.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/spelling.h"
#include "sim/redis/integer_text.h"

namespace holdfast::serve {
namespace {

using Spec = scenario::FaultSpec;
using scenario::parse_duration;

// What the words of one command are taken from: each function takes the next word and notes what
// was wrong with it.
class Words {
 public:
  Words(const Command& words, const Cluster& cluster) : words_(words), cluster_(cluster) {}

  bool more() const { return next_ < words_.size(); }
  std::string_view peek() const { return more() ? words_[next_] : std::string_view(); }
  // Takes the next word when it is this one.
  bool is(std::string_view word) {
    const bool same = peek() == word;
    if (same) ++next_;
    return same;
  }
  std::string text(std::string_view what) {
    if (!more()) {
      fail(fmt::format("expected {}", what));
      return {};
    }
    return std::string(words_[next_++]);
  }
  std::string node() {
    std::string name = text("a node");
    if (problem_.empty() && cluster_.find(name) == 0) {
      std::vector<std::string> known;
      for (NodeId node = 1; node <= cluster_.size(); ++node) known.push_back(cluster_.name(node));
      fail(fmt::format("'{}' is no node; the nodes are {}", name, fmt::join(known, ", ")));
    }
    return name;
  }
  Duration duration() {
    const std::string word = text("a duration");
    const auto parsed = word == "0" ? Duration::zero() : parse_duration(word);
    if (!parsed && problem_.empty()) {
      fail(fmt::format("'{}': expected {}", word, scenario::kDurationForm));
    }
    return parsed.value_or(Duration::zero());
  }
  std::int64_t whole_number() {
    const std::string word = text("a whole number");
    const auto parsed = sim::redis::parse_integer(word);
    const bool good = parsed && *parsed >= 0 && *parsed <= 1'000'000'000;
    if (!good && problem_.empty()) fail(fmt::format("'{}': expected a whole number", word));
    return good ? *parsed : 0;
  }
  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  const std::string& problem() const { return problem_; }

 private:
  const Command& words_;
  const Cluster& cluster_;
  std::size_t next_ = 1;
  std::string problem_;
};

// What is left over: how long it lasts, or nothing.
void take_duration(Words& words, Spec& fault) {
  words.is("for");
  if (words.more()) fault.duration = words.duration();
  if (fault.duration && *fault.duration <= Duration::zero()) {
    words.fail("expected a duration above zero");
  }
}

void clock(Words& words, Spec& fault) {
  fault.target = words.node();
  fault.step = words.duration();
  take_duration(words, fault);
}

void rate(Words& words, Spec& fault) {
  fault.target = words.node();
  const std::string text = words.text("a factor, as 1.25");
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc() || end != text.data() + text.size() || !(factor >= 0.001) ||
      factor > 1000) {
    words.fail(fmt::format("'{}': expected a factor from 0.001 to 1000, as 1.25", text));
  }
  fault.rate_ppm = std::llround((factor - 1.0) * 1'000'000.0);
  take_duration(words, fault);
}

void freeze_clock(Words& words, Spec& fault) {
  fault.target = words.node();
  fault.freeze = true;
  take_duration(words, fault);
}

void only_node(Words& words, Spec& fault) { fault.target = words.node(); }

void node_for(Words& words, Spec& fault) {
  only_node(words, fault);
  take_duration(words, fault);
}

void crash(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.power_loss = words.is("power-loss");
  if (words.is("restart-after")) fault.restart_after = words.duration();
}

void restart(Words& words, Spec& fault) {
  only_node(words, fault);
  if (words.is("persistence")) {
    const std::string mode = words.text("a persistence");
    fault.persistence = scenario::persistence_words().find(mode);
    if (!fault.persistence) {
      words.fail(fmt::format("'{}': expected one of {}", mode,
                             fmt::join(scenario::persistence_words().words(), ", ")));
    }
  }
  if (words.is("replica-of")) fault.replica_of = words.node();
}

// cut n1 (its clients), cut n1 -> n1r (replication), cut n1 to-server, refuse n1
void cut(Words& words, Spec& fault) {
  fault.target = words.node();
  if (words.is("->")) {
    fault.peer = words.node();
    fault.mode = Spec::Cut::refuse;
  } else if (words.is("to-server")) {
    fault.direction = Spec::Direction::to_server;
  } else if (words.is("to-client")) {
    fault.direction = Spec::Direction::to_client;
  }
  take_duration(words, fault);
}

void refuse(Words& words, Spec& fault) {
  fault.mode = Spec::Cut::refuse;
  node_for(words, fault);
}

void hold(Words& words, Spec& fault) {
  fault.peer = words.node();
  fault.target = fault.peer;
  take_duration(words, fault);
}

void drop_replies(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.count = words.more() ? static_cast<std::uint32_t>(words.whole_number()) : 1;
  fault.then_reset = words.is("reset");
}

void delay(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.by = words.duration();
  if (fault.by < Duration::zero()) words.fail("expected a duration of zero or more");
  if (words.is("to-server")) fault.direction = Spec::Direction::to_server;
  if (words.is("to-client")) fault.direction = Spec::Direction::to_client;
  take_duration(words, fault);
}

void error(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.text = words.text("the error's text, or \"\" to end it");
  fault.writes_only = words.is("writes");
  take_duration(words, fault);
}

void evict(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.key = words.text("a key");
}

void slow_fsync(Words& words, Spec& fault) {
  only_node(words, fault);
  fault.by = words.duration();
  take_duration(words, fault);
}

struct Row {
  std::string_view verb;
  Spec::Kind kind;
  void (*read)(Words& words, Spec& fault);
  std::string_view form, what;
};

// Faults that the scenario format has, too.
constexpr std::array kFaults{
    Row{"clock", Spec::Kind::clock, clock, "clock n1 +10s [for 5s]", "step its wall clock"},
    Row{"rate", Spec::Kind::clock, rate, "rate n1 1.25 [for 5s]", "let its wall clock run fast"},
    Row{"freeze-clock", Spec::Kind::clock, freeze_clock, "freeze-clock n1 [5s]",
        "let its wall clock stand still"},
    Row{"pause", Spec::Kind::pause, node_for, "pause n1 [5s]",
        "freeze the process: connections are accepted, nothing is answered"},
    Row{"crash", Spec::Kind::crash, crash, "crash n1 [power-loss] [restart-after 2s]",
        "kill it: memory gone, connections refused"},
    Row{"restart", Spec::Kind::restart, restart,
        "restart n1 [persistence aof_always] [replica-of n2]", "start it (again)"},
    Row{"promote", Spec::Kind::promote, only_node, "promote n1r",
        "make it a master; clients of the old master's address reach it"},
    Row{"cut", Spec::Kind::cut, cut, "cut n1 [to-server|to-client] [5s]",
        "hold back what its clients send and are sent"},
    Row{"cut", Spec::Kind::cut, cut, "cut n1 -> n1r [5s]", "break the replication link"},
    Row{"refuse", Spec::Kind::cut, refuse, "refuse n1 [5s]",
        "reset its clients and refuse new ones, though it runs"},
    Row{"hold", Spec::Kind::cut, hold, "hold n1r [5s]", "hold back what its master sends"},
    Row{"reset", Spec::Kind::reset, only_node, "reset n1", "reset its clients' connections"},
    Row{"delay", Spec::Kind::delay, delay, "delay n1 50ms [to-server|to-client] [for 5s]",
        "make the way to it longer, each way; 0 ends it"},
    Row{"drop-replies", Spec::Kind::drop_reply, drop_replies, "drop-replies n1 [3] [reset]",
        "execute, but do not answer; no later answer on that connection"},
    Row{"error", Spec::Kind::error, error, "error n1 \"OOM command not allowed\" [writes] [for 5s]",
        "answer every command so; \"\" ends it"},
    Row{"evict", Spec::Kind::evict, evict, "evict n1 KEY", "as maxmemory does"},
    Row{"flush", Spec::Kind::flush, only_node, "flush n1", "as FLUSHALL does"},
    Row{"slow-fsync", Spec::Kind::slow_fsync, slow_fsync, "slow-fsync n1 2s [for 10s]",
        "let each fsync take so long; 0s ends it"},
};

struct Help {
  std::string_view verb, form, what;
};
constexpr std::array kOthers{
    Help{"resume", "resume n1", "end a pause"},
    Help{"failover", "failover n1 [n1r]", "promote n1r; n1 follows it as far as it runs"},
    Help{"replicaof", "replicaof n1 n1r", "n1 drops its data and follows n1r"},
    Help{"heal", "heal n1", "end cut, refuse, delay, drop-replies and error of n1"},
    Help{"heal", "heal n1 n1r", "end cut and hold of the replication link"},
    Help{"strike", "strike F2", "the scenario's second fault, now"},
    Help{"advance", "advance 30s", "let time jump, for all nodes alike"},
    Help{"status", "status", "the nodes, who follows whom, what is impaired"},
    Help{"help", "help", "this text"},
};

std::vector<std::string> all_verbs() {
  std::vector<std::string> verbs;
  const auto add = [&verbs](std::string_view verb) {
    if (verbs.empty() || verbs.back() != verb) verbs.emplace_back(verb);
  };
  for (const Row& row : kFaults) add(row.verb);
  for (const Help& row : kOthers) add(row.verb);
  return verbs;
}

std::string joined(const Command& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool quoted = words[i].empty() || words[i].find(' ') != std::string_view::npos;
    text += fmt::format("{}{}{}{}", i == 0 ? "" : " ", quoted ? "\"" : "", words[i],
                        quoted ? "\"" : "");
  }
  return text;
}

Reply refused(const std::string& why) { return Reply::error("ERR " + why); }
Reply outcome(const Problem& problem) {
  return problem.empty() ? Reply::status("OK") : refused(problem);
}

}  // namespace

std::string fault_help() {
  std::string text;
  for (const Row& row : kFaults) text += fmt::format("{:<56} {}\n", row.form, row.what);
  for (const Help& row : kOthers) text += fmt::format("{:<56} {}\n", row.form, row.what);
  return text;
}

Reply FaultWords::run(const Command& said) {
  const std::string_view verb = said[0];
  Words words(said, front_.cluster());
  for (const Row& row : kFaults) {
    if (row.verb != verb) continue;
    Spec fault;
    fault.kind = row.kind;
    row.read(words, fault);
    if (words.more()) words.fail(fmt::format("unexpected '{}'", words.peek()));
    if (!words.problem().empty()) {
      return refused(fmt::format("{}: {}; the form is: {}", verb, words.problem(), row.form));
    }
    return outcome(faults_.strike(fault, joined(said)));
  }
  return run_other(said);
}

Reply FaultWords::run_other(const Command& said) {
  const std::string_view verb = said[0];
  if (verb == "help") return Reply::bulk(fault_help());
  if (verb == "status") return Reply::bulk(status());
  Words words(said, front_.cluster());
  const auto node = [&] { return front_.cluster().find(words.node()); };
  const auto checked = [&](auto action) {
    if (words.more()) words.fail(fmt::format("unexpected '{}'", words.peek()));
    if (!words.problem().empty()) return refused(fmt::format("{}: {}", verb, words.problem()));
    Reply answer = outcome(action());
    if (!answer.is_error()) chronicle_.fault(joined(said));
    return answer;
  };
  if (verb == "resume") {
    const NodeId paused = node();
    return checked([&] { return faults_.resume(paused); });
  }
  if (verb == "failover") {
    const NodeId from = node();
    const NodeId to = words.more() ? node() : NodeId{0};
    return checked([&] { return faults_.fail_over(from, to); });
  }
  if (verb == "replicaof") {
    const NodeId replica = node();
    const NodeId master = node();
    return checked([&] { return faults_.follow(replica, master); });
  }
  if (verb == "heal") {
    const NodeId first = node();
    const NodeId second = words.more() ? node() : NodeId{0};
    return checked([&] { return heal(first, second); });
  }
  if (verb == "advance") {
    const Duration by = words.duration();
    return checked([&] { return advance(by); });
  }
  if (verb == "strike") return strike(words.text("a fault of the scenario, as F2"));
  return refused(
      fmt::format("unknown fault '{}'{}", verb, scenario::suggestion(verb, all_verbs())));
}

Problem FaultWords::heal(NodeId first, NodeId second) {
  if (second == 0) {
    faults_.heal_clients(first);
    return {};
  }
  const NodeId replica = front_.cluster().server(second).is_master() ? first : second;
  faults_.heal_replication(replica);
  return {};
}

Problem FaultWords::advance(Duration by) {
  if (by <= Duration::zero()) return "time does not go back";
  front_.skip(by);
  return {};
}

Reply FaultWords::strike(const std::string& name) {
  const auto number = name.starts_with('F') ? sim::redis::parse_integer(name.substr(1))
                                            : std::optional<std::int64_t>();
  const auto count = static_cast<std::int64_t>(scenario_.faults.size());
  if (!number || *number < 1 || *number > count) {
    return refused(fmt::format("strike: '{}': the scenario's faults are F1 to F{}", name, count));
  }
  const Spec& fault = scenario_.faults[static_cast<std::size_t>(*number - 1)];
  if (front_.cluster().find(fault.target) == 0) {
    return refused("strike: it is about client " + fault.target + ", who is not here");
  }
  Spec now = fault;
  now.when = {};
  return outcome(faults_.strike(now, name + ": " + fault.describe()));
}

std::string FaultWords::status() {
  Cluster& cluster = front_.cluster();
  std::string text =
      fmt::format("{:.3f} s, {} connections, {} commands\n",
                  std::chrono::duration<double>(cluster.now().time_since_epoch()).count(),
                  front_.connections(), front_.commands());
  for (NodeId node = 1; node <= cluster.size(); ++node) text += status_line(node);
  return text;
}

std::string FaultWords::status_line(NodeId node) {
  Cluster& cluster = front_.cluster();
  sim::RedisServer& server = cluster.server(node);
  const Address& address = front_.address(node);
  std::string text = fmt::format("{} 127.0.0.1:{}", cluster.name(node), address.port());
  if (address.node != node) text += fmt::format(" (leads to {})", cluster.name(address.node));
  text += !server.running() ? ": down" : server.paused() ? ": paused" : ": up";
  if (server.is_master()) {
    text += fmt::format(", master, {} replicas", server.online_replicas());
  } else {
    text += fmt::format(", replica of {}", cluster.name(cluster.number(*server.master())));
  }
  text += fmt::format(", offset {}, {} keys, {} clients", server.offset(),
                      server.running() ? server.keys() : 0, front_.connections(address));
  const Duration wall = server.wall().read(cluster.now());
  const Duration true_wall = cluster.wall_epoch() + cluster.now().time_since_epoch();
  const auto ahead = std::chrono::duration_cast<std::chrono::milliseconds>(wall - true_wall);
  if (ahead != Duration::zero()) text += fmt::format(", clock {:+} ms", ahead.count());
  if (server.wall().rate_ppm() != 0)
    text += fmt::format(", rate {:+} ppm", server.wall().rate_ppm());
  if (server.wall().frozen()) text += ", clock frozen";
  if (address.refused) text += ", clients refused";
  if (address.to_server.held || address.to_client.held) text += ", clients cut";
  if (address.to_server.delay + address.to_client.delay > Duration::zero()) {
    text += fmt::format(", delayed {}", scenario::short_form(std::max(address.to_server.delay,
                                                                      address.to_client.delay)));
  }
  if (address.replies_to_drop > 0) {
    text += fmt::format(", {} replies to drop", address.replies_to_drop);
  }
  return text + "\n";
}

}  // namespace holdfast::serve
