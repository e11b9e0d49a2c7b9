// Hand-made stories of violations, event for event as a world writes them, and reports made of
// them. What the explanation and the renderers are tested with.
#pragma once

#include <string>
#include <utility>

#include "reports/report.h"
#include "tests/reports/history_builder.h"

namespace holdfast::report {

using history::Kind;
using judge::HistoryBuilder;
using judge::kMs;

// A write or read of "stock": sent, and executed a little later.
inline void access(HistoryBuilder& h, const std::string& who, std::int64_t value,
                   std::int64_t token, std::uint8_t flag, std::int64_t at_ms) {
  history::Event sent;
  sent.kind = (flag & 1U) != 0 ? Kind::write_sent : Kind::read_sent;
  sent.actor = h.actor(who);
  sent.resource = h.resource("stock");
  sent.grant = h.grant(who);
  sent.a = value;
  sent.b = token;
  h.at(at_ms).add(sent);
  history::Event executed = sent;
  executed.kind = Kind::access_executed;
  executed.node = h.node("guarded");
  executed.flag = flag;
  h.at_ns(at_ms * kMs + 300'000).add(executed);
}
inline constexpr std::uint8_t kAcceptedWrite = 3;
inline constexpr std::uint8_t kRefusedWrite = 1;

inline void fault(HistoryBuilder& h, const std::string& text) {
  h.history.fault_text.push_back(text);
  h.setup().fault_count += 1;
  h.setup().fault_unconditional.push_back(true);
}
inline void strikes(HistoryBuilder& h, std::int64_t index, std::int64_t at_ms) {
  h.at(at_ms).happens(Kind::fault_fired, index);
}

// One successful acquire of `who` at `at_ms`, fenced when `token` is not 0.
inline void acquires(HistoryBuilder& h, const std::string& who, const std::string& name,
                     std::int64_t at_ms, std::vector<std::string> nodes = {},
                     std::int64_t token = 0) {
  h.at(at_ms).sends(who, name);
  h.at_ns(at_ms * kMs + 200'000).sets(who, name, 10'000, std::move(nodes));
  h.at_ns(at_ms * kMs + 400'000).does(Kind::quorum_counted, who);
  h.does(Kind::validity_checked, who, (at_ms + 9'898) * kMs, 0, name);
  h.does(Kind::acquire_returned, who, 0, token, name);
}

inline HistoryBuilder story(std::vector<std::string> nodes, const std::string& name) {
  HistoryBuilder h(nodes);
  h.history.resources = history::Names();
  h.history.resources.intern("jobs/42");
  h.history.resources.intern("stock");
  h.setup().scenario = name;
  h.setup().seed = 7;
  h.setup().until = 120'000 * kMs;
  h.setup().nodes.push_back({h.node("guarded"), 0, true});
  h.actor("A");
  h.actor("B");
  h.on("jobs/42");
  return h;
}

// A is stopped for 15 s before its second write; its key expires, B comes in and writes, A wakes
// and writes. Fenced: the late write is refused.
inline HistoryBuilder gc_pause(bool fenced = false) {
  HistoryBuilder h = story({"n1"}, "gc-pause");
  fault(h, "pause A for 15 s when it passes before_write (2nd time)");
  h.at(0).at_node(Kind::node_started, "n1", 0, 1);
  h.does(Kind::process_started, "A", 0, 1).does(Kind::process_started, "B", 0, 1);
  h.at(200).calls("A", 1'000);
  acquires(h, "A", "A1:1", 200, {}, fenced ? 7 : 0);
  access(h, "A", 1, fenced ? 7 : 0, kAcceptedWrite, 201);
  h.at(2'202).does(Kind::point_passed, "A", 3, 2);
  strikes(h, 1, 2'202);
  h.does(Kind::process_paused, "A");
  h.happens(Kind::fault_proved, 1);
  h.at(9'000).calls("B", 61'000);
  h.sends("B", "B1:1").does(Kind::valid_until_reached, "A").about("A", h.grant("A"));
  h.history.events.back().at = 10'098 * kMs;
  h.at_ns(10'200 * kMs + 200'000).key(Kind::key_expired, "n1", "", "A1:1");
  acquires(h, "B", "B1:2", 10'900, {}, fenced ? 8 : 0);
  access(h, "B", 2, fenced ? 8 : 0, kAcceptedWrite, 10'902);
  h.at(17'202).does(Kind::process_resumed, "A").happens(Kind::fault_ended, 1);
  h.at(17'202).does(Kind::lost_told, "A", 0);
  access(h, "A", 3, fenced ? 7 : 0, fenced ? kRefusedWrite : kAcceptedWrite, 17'202);
  h.at(17'204).releases("A").at(17'205).released("A", 1);
  h.at(18'900).releases("B").key(Kind::key_deleted, "n1", "B", "B1:2");
  h.at(18'901).released("B").does(Kind::client_done, "B").ends(18'901);
  return h;
}

// Redlock on five servers: A holds exactly n1-n3; n3's clock jumps, B takes n3-n5.
inline HistoryBuilder clock_step() {
  HistoryBuilder h = story({"n1", "n2", "n3", "n4", "n5"}, "redlock5-clock-step");
  fault(h, "refuse connections from A to n4");
  fault(h, "refuse connections from A to n5");
  fault(h, "step the clock of n3 by 10.1 s");
  for (const char* name : {"n1", "n2", "n3", "n4", "n5"}) {
    h.at(0).at_node(Kind::node_started, name, 0, 1);
  }
  strikes(h, 1, 0);
  h.link(Kind::link_down, "A", "n4", 2);
  strikes(h, 2, 0);
  h.link(Kind::link_down, "A", "n5", 2);
  h.at(100).calls("A", 1'000);
  acquires(h, "A", "A1:1", 100, {"n1", "n2", "n3"});
  access(h, "A", 1, 0, kAcceptedWrite, 101);
  strikes(h, 3, 1'000);
  h.at_node(Kind::clock_stepped, "n3", 10'100 * kMs);
  h.key(Kind::key_expired, "n3", "", "A1:1").happens(Kind::fault_proved, 3);
  h.at(1'100).calls("B", 1'000);
  acquires(h, "B", "B1:1", 1'100, {"n3", "n4", "n5"});
  access(h, "B", 2, 0, kAcceptedWrite, 1'102);
  access(h, "A", 3, 0, kAcceptedWrite, 3'102);
  h.at(3'104).releases("A").key(Kind::key_deleted, "n1", "A", "A1:1");
  h.key(Kind::key_deleted, "n2", "A", "A1:1").at(3'105).released("A");
  h.at(4'100).releases("B");
  for (const char* name : {"n3", "n4", "n5"}) h.key(Kind::key_deleted, name, "B", "B1:1");
  h.at(4'101).released("B").ends(4'101);
  return h;
}

// The protocol whose release is a bare DEL: A wakes late and deletes B's key; C enters.
inline HistoryBuilder bare_del() {
  HistoryBuilder h = story({"n1"}, "bare-del");
  h.actor("C");
  h.lock().belief = history::Belief::until_release;
  fault(h, "pause A for 10 s when it passes before_release");
  h.at(0).at_node(Kind::node_started, "n1", 0, 1);
  h.at(100).calls("A", 1'000);
  acquires(h, "A", "A1:1", 100);
  access(h, "A", 1, 0, kAcceptedWrite, 101);
  h.at(5'000).does(Kind::section_left, "A").does(Kind::release_called, "A", 500 * kMs);
  strikes(h, 1, 5'000);
  h.does(Kind::process_paused, "A").happens(Kind::fault_proved, 1);
  h.at_ns(10'100 * kMs + 200'000).key(Kind::key_expired, "n1", "", "A1:1");
  h.at(10'150).calls("B", 1'000);
  acquires(h, "B", "B1:1", 10'150);
  access(h, "B", 2, 0, kAcceptedWrite, 10'152);
  h.at(15'000).does(Kind::process_resumed, "A").happens(Kind::fault_ended, 1);
  h.does(Kind::release_sent, "A", 0, 0, "A1:1");
  h.at_ns(15'000 * kMs + 200'000).key(Kind::key_deleted, "n1", "A", "B1:1");
  h.at(15'001).released("A");
  h.at(15'100).calls("C", 1'000);
  acquires(h, "C", "C1:1", 15'100);
  access(h, "C", 3, 0, kAcceptedWrite, 15'102);
  access(h, "B", 4, 0, kAcceptedWrite, 17'000);
  h.at(18'100).releases("C").key(Kind::key_deleted, "n1", "C", "C1:1").at(18'101).released("C");
  h.at(20'150).releases("B").at(20'151).released("B", 1).ends(20'151);
  return h;
}

// The master dies before it has replicated A's key; its replica is promoted without it.
inline HistoryBuilder failover() {
  HistoryBuilder h = story({"n1"}, "failover");
  h.setup().nodes.push_back({h.node("n1r"), h.node("n1"), false});
  fault(h, "cut the replication from n1 to n1r (hold)");
  fault(h, "crash n1 10 ms after A passes acquired");
  fault(h, "promote n1r at 300 ms");
  h.at(0).at_node(Kind::node_started, "n1", 0, 1).at_node(Kind::node_started, "n1r", 0, 1);
  strikes(h, 1, 0);
  h.at_node(Kind::replication_held, "n1r");
  h.at(200).calls("A", 1'000);
  acquires(h, "A", "A1:1", 200);
  strikes(h, 2, 211);
  h.at_node(Kind::node_crashed, "n1");
  strikes(h, 3, 300);
  h.at_node(Kind::node_promoted, "n1r");
  history::Event lost;
  lost.kind = Kind::write_lost;
  lost.node = h.node("n1r");
  lost.resource = h.resource("jobs/42");
  lost.token = h.token("A1:1");
  lost.a = static_cast<std::int64_t>(history::DropCause::failover);
  h.add(lost);
  h.at_node(Kind::master_changed, "n1r", h.node("n1"));
  h.at(500).calls("B", 1'000);
  acquires(h, "B", "B1:1", 500, {"n1r"});
  access(h, "B", 1, 0, kAcceptedWrite, 502);
  access(h, "A", 2, 0, kAcceptedWrite, 2'000);
  h.at(3'000).releases("A").at(3'001).released("A", 3);
  h.at(3'500).releases("B").key(Kind::key_deleted, "n1r", "B", "B1:1").at(3'501).released("B");
  h.ends(3'501);
  return h;
}

inline ViolationRun run_of(HistoryBuilder builder) {
  ViolationRun run;
  run.seed = builder.history.setup.seed;
  run.judgement = builder.judged();
  run.history = std::move(builder.history);
  run.history.fingerprint = 0x1234'5678'9abc'def0;
  run.reproduce = "holdfast run scenarios/catalogue/" + run.history.setup.scenario +
                  ".json --seed " + std::to_string(run.seed);
  run.rerun_identical = true;
  run.explanation = explain(run.history, run.judgement);
  return run;
}

inline ScenarioResult result_of(HistoryBuilder builder, const std::string& shows) {
  ScenarioResult result;
  result.violations.push_back(run_of(std::move(builder)));
  const ViolationRun& run = result.violations.front();
  result.name = run.history.setup.scenario;
  result.world = run.history.setup.world;
  result.shows = shows;
  result.file = "scenarios/catalogue/" + result.name + ".json";
  result.source = {"KLEPP-01"};
  result.runs = result.judged = 1'000;
  result.grants = 2'000;
  result.contended_grants = 1'000;
  result.seconds = 0.25;
  result.expectation_text = "mutual-exclusion, stale-write violated";
  result.verdict_text = "violated in 1,000 of 1,000";
  result.met = true;
  result.invariants.push_back({run.explanation.invariant, "violated", 0, 1'000, 0, true, ""});
  result.text = "{ \"holdfast\": 1, \"name\": \"" + result.name + "\" }\n";
  return result;
}

}  // namespace holdfast::report
