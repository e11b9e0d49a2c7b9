// Runs of small scenarios: what a run waits for, and what it records of its faults.
#include "scenarios/runner/sim_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "scenarios/format/parse.h"

namespace holdfast::runner {
namespace {

using history::Event;
using history::Kind;
using judge::Invariant;
using judge::RunVerdict;
using judge::State;

// Clients A and B hold the lock for a second, one after the other; `more` is the rest of the file.
const std::string kLock = R"("lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "3s",
    "watchdog": false, "retry": "200ms", "node_deadline": "100ms" })";

class OneRun {
 public:
  explicit OneRun(const std::string& more, const std::string& lock = kLock,
                  const std::string& server = "{}") {
    const std::string text = R"({ "holdfast": 1, "name": "small", "shows": "x",
      "servers": { "n1": )" + server +
                             R"( }, "guarded": { "stock": {} }, )" + lock +
                             R"(, "until": "60s", )" + more + " }";
    auto parsed = scenario::parse_text(text, "small.json");
    if (auto* errors = std::get_if<std::vector<scenario::ParseError>>(&parsed)) {
      ADD_FAILURE() << errors->front().text();
      return;
    }
    scenario_ = std::make_unique<scenario::Scenario>(std::get<scenario::Scenario>(parsed));
    run_ = std::make_unique<SimRun>(*scenario_);
    judgement = run_->run(1);
  }
  std::vector<Event> all(Kind kind) const {
    std::vector<Event> found;
    for (const Event& event : run_->history().events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  std::size_t count(Kind kind) const { return all(kind).size(); }

  judge::Judgement judgement;

 private:
  std::unique_ptr<scenario::Scenario> scenario_;
  std::unique_ptr<SimRun> run_;
};

const std::string kTwo = R"("clients": {
    "A": [ { "acquire": "k" }, { "work": "1s" }, { "release": "k" } ],
    "B": [ { "sleep": "500ms" }, { "acquire": "k", "wait": "20s" }, { "work": "1s" },
           { "release": "k" } ] })";

TEST(SimRun, WaitsForAClientThatCameBackAfterItsCrash) {
  const OneRun run(R"("clients": { "A": [ { "sleep": "5s" }, { "acquire": "k" }, { "work": "5s" },
      { "release": "k" } ] },
      "faults": [ { "crash": "A", "at": "1s", "restart_after": "1s" } ])");
  EXPECT_EQ(run.count(Kind::client_done), 1U);
  EXPECT_EQ(run.count(Kind::release_returned), 1U);
  EXPECT_EQ(run.all(Kind::run_ended).at(0).a, 1);
}

TEST(SimRun, ARestOfSlowMessagesKeepsTheLinkSlow) {
  const OneRun run(kTwo + R"(, "faults": [ { "delay": ["B", "n1"], "by": "900ms", "at": "400ms",
      "direction": "to_server", "for": "500ms" } ])");
  const auto impaired = run.all(Kind::node_impaired);
  ASSERT_EQ(impaired.size(), 2U);
  EXPECT_EQ(impaired[1].a, 0);
  EXPECT_EQ(impaired[1].at - impaired[0].at, 1'400'000'000);
  EXPECT_EQ(run.judgement.verdict, RunVerdict::no_violation);
}

TEST(SimRun, AReplyThatWasNeverThereCannotBeDropped) {
  for (const bool dropped : {true, false}) {
    const std::string at = dropped ? "0s" : "50s";
    const OneRun run(kTwo + R"(, "faults": [ { "drop_reply": ["A", "n1"], "at": ")" + at +
                     R"(" } ])");
    EXPECT_EQ(run.count(Kind::fault_fired), 1U);
    EXPECT_EQ(run.count(Kind::fault_proved), dropped ? 1U : 0U);
    EXPECT_EQ(run.judgement.vacuous_because.empty(), dropped) << run.judgement.vacuous_because;
  }
}

TEST(SimRun, AConnectionThatWasNeverThereCannotBeReset) {
  for (const bool connected : {true, false}) {
    const std::string at = connected ? "600ms" : "100ms";
    const OneRun run(kTwo + R"(, "faults": [ { "reset": ["B", "n1"], "at": ")" + at + R"(" } ])");
    EXPECT_EQ(run.count(Kind::fault_proved), connected ? 1U : 0U);
    EXPECT_EQ(run.count(Kind::connection_lost), connected ? 1U : 0U);
    EXPECT_EQ(run.judgement.verdict, connected ? RunVerdict::no_violation : RunVerdict::vacuous);
  }
}

TEST(SimRun, AClockThatIsOffFromTheStartIsRecorded) {
  const OneRun straight(kTwo);
  EXPECT_EQ(straight.count(Kind::clock_rate) + straight.count(Kind::clock_stepped), 0U);
  const OneRun bent(kTwo, kLock, R"({ "clock": { "offset": "-3s", "rate_ppm": 900 } })");
  ASSERT_EQ(bent.count(Kind::clock_rate), 1U);
  EXPECT_EQ(bent.all(Kind::clock_rate)[0].a, 900);
  EXPECT_EQ(bent.all(Kind::clock_rate)[0].at, 0);
  EXPECT_EQ(bent.all(Kind::clock_stepped).at(0).a, -3'000'000'000);
}

TEST(SimRun, AReplicaWhoseLinkWasRefusedFollowsAgainWhenItIsBack) {
  for (const bool hold : {true, false}) {
    const std::string mode = hold ? "hold" : "refuse";
    const OneRun run(kTwo + R"(, "faults": [ { "cut": ["n1", "n1r"], "mode": ")" + mode +
                         R"(", "at": "400ms", "for": "100ms" } ])",
                     kLock, R"({}, "n1r": { "replica_of": "n1" })");
    const auto resumed = run.all(Kind::replication_resumed);
    ASSERT_EQ(resumed.size(), 1U);
    EXPECT_EQ(resumed[0].at == 500'000'000, hold);
    EXPECT_LE(resumed[0].at, 1'520'000'000);
  }
}

// SETNX executed, its reply lost with the connection, nobody gets through to send EXPIRE.
TEST(SimRun, AnEternalKeyIsALeakThoughItsWriterIsCutOff) {
  const std::string lock = R"("lock": { "nodes": ["n1"], "ttl": "3s", "node_deadline": "100ms",
    "retry": "200ms", "protocol": { "holdfast-protocol": 1, "name": "setnx-expire", "lease": "3s",
      "believes": "until_release",
      "acquire": [ { "send": ["SETNX", "$key", "$token"], "expect": 1 },
                   { "send": ["EXPIRE", "$key", "$lease_s"], "expect": 1 } ],
      "release": [ { "send": ["DEL", "$key"] } ] } })";
  const OneRun run(R"("clients": { "A": [ { "acquire": "k" } ],
      "B": [ { "sleep": "20s" } ] },
      "faults": [ { "cut": ["A", "n1"], "mode": "refuse",
                    "on": { "client": "A", "point": "protocol_step" } } ])",
                   lock);
  EXPECT_EQ(run.judgement[Invariant::leak].state, State::violated);
}

// A is done at 1 s, B at 2 s and more.
TEST(SimRun, AFaultOfAClientThatIsDoneProvesNothing) {
  for (const std::string fault :
       {R"({ "pause": "A", "for": "1s", )", R"({ "crash": "A", )", R"({ "cut": ["A", "n1"], )"}) {
    for (const std::string at : {"700ms", "1500ms"}) {
      const OneRun run(kTwo + R"(, "faults": [ )" + fault + R"("at": ")" + at + R"(" } ])");
      EXPECT_EQ(run.count(Kind::fault_proved), at == "700ms" ? 1U : 0U) << fault;
      EXPECT_EQ(run.judgement.vacuous_because.empty(), at == "700ms") << fault;
    }
  }
}

TEST(SimRun, AFaultThatStrikesWhenAllIsOverProvesNothing) {
  const OneRun run(kTwo + R"(, "faults": [ { "clock": "n1", "step": "60m", "at": "30s" } ])");
  EXPECT_EQ(run.judgement.verdict, RunVerdict::vacuous);
  EXPECT_NE(run.judgement.vacuous_because.find(
                "struck at 30.000 s, after the last client was done at 2."),
            std::string::npos)
      << run.judgement.vacuous_because;
}

TEST(SimRun, AFlushThatRemovesNothingProvesNothing) {
  for (const bool keys : {true, false}) {
    const std::string at = keys ? "500ms" : "0s";
    const OneRun run(kTwo + R"(, "faults": [ { "flush": "n1", "at": ")" + at + R"(" } ])");
    EXPECT_EQ(run.count(Kind::fault_proved), keys ? 1U : 0U);
  }
}

// The server's clock goes back an hour: by it the dead holder's key lives on for as long.
TEST(SimRun, AWaitThatEndsBeforeItsBoundIsNotHeld) {
  const OneRun run(R"("clients": { "A": [ { "acquire": "k" }, { "work": "5s" } ],
      "B": [ { "sleep": "500ms" }, { "acquire": "k", "wait": "40s" } ] },
      "faults": [ { "crash": "A", "at": "1100ms" },
                  { "clock": "n1", "step": "-60m", "at": "1s" } ])");
  for (const Invariant invariant : {Invariant::progress, Invariant::leak}) {
    EXPECT_EQ(run.judgement[invariant].state, State::not_judged) << name(invariant);
    EXPECT_EQ(run.judgement[invariant].why.find("the bound, 3,60"), 0U)
        << run.judgement[invariant].why;
  }
}

}  // namespace
}  // namespace holdfast::runner
