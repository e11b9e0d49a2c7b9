// The report model: what every renderer (terminal, JSON, JUnit, Markdown, HTML) shows. Made by the
// runner from histories and judgements; nothing is computed in a renderer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"

namespace holdfast::report {

// One link of the chain of causes, from the injected faults to the violation.
struct Cause {
  history::Nanos at = 0;
  std::string text;         // one sentence in plain words
  std::uint32_t event = 0;  // index in History::events
  std::uint32_t fault = 0;  // F1, F2, ... when this is an injected fault
};

// Why one run was violated.
struct Explanation {
  std::string sentence;  // at what time who held what, how long they overlapped, what was written
  judge::Invariant invariant = judge::Invariant::mutual_exclusion;  // what the sentence is about
  judge::Blame blame = judge::Blame::none;
  std::string blame_text;     // "the application outlived its lease" / "the lock lied" / ...
  std::vector<Cause> causes;  // 3 to 7
  // What else was violated in this run, strongest first.
  struct Also {
    judge::Invariant invariant = judge::Invariant::mutual_exclusion;
    std::string sentence;
  };
  std::vector<Also> also = {};
};

// Computed from happens-before over the history; see reports/explain.cc. About `focus` when that
// was violated, else about the strongest invariant that was.
Explanation explain(const history::History& history, const judge::Judgement& judgement,
                    std::optional<judge::Invariant> focus = std::nullopt);

// One violating run, fully recorded.
struct ViolationRun {
  std::uint64_t seed = 0;
  std::string reproduce;         // the exact command
  bool rerun_identical = false;  // it was re-run and gave the same fingerprint (simulated only)
  history::History history;
  judge::Judgement judgement;
  Explanation explanation;
  std::string html_path = {};  // where its page was written
};

struct InvariantCount {
  judge::Invariant invariant = judge::Invariant::mutual_exclusion;
  std::string expected;  // "holds", "violated", "can-be-violated"
  std::uint64_t held = 0, violated = 0, not_judged = 0;
  bool met = true;
  std::string why_not_judged = {};
  std::optional<std::uint64_t> first_violated_seed = {};
};

// How many runs were violated in one way: the lock lied, the application outlived its lease, ...
struct KindCount {
  judge::Blame blame = judge::Blame::none;
  std::uint64_t runs = 0;
  std::uint64_t first_seed = 0;
};

struct ScenarioResult {
  std::string name, shows, file, world;
  std::vector<std::string> source;
  std::uint64_t first_seed = 1, runs = 0, judged = 0, vacuous = 0, out_of_budget = 0;
  std::uint64_t environment_failures = 0;
  std::uint64_t grants = 0, contended_grants = 0;
  std::uint64_t kernel_events = 0;
  double seconds = 0;  // for people; not part of any verdict
  std::vector<InvariantCount> invariants;
  std::vector<KindCount> kinds = {};  // worst first
  std::string expectation_text;       // "mutual-exclusion, stale-write violated"
  std::string verdict_text;  // "violated in 1,000 of 1,000" / "no violation in 1,000 runs, ..."
  bool met = false;
  bool interrupted = false;  // ended before all its runs were done: neither met nor not met
  std::string not_met_because = {};
  std::string vacuous_because = {};
  std::string environment_failure = {};
  std::string second_attempt = {};  // live: why the first attempt was no run
  // One run for each violated invariant and each kind, what was not expected first.
  std::vector<ViolationRun> violations;
  std::string text = {};  // the scenario file as read, for the pages; else it is read from `file`
};

struct Report {
  std::string program_version;
  std::vector<ScenarioResult> scenarios;
  bool interrupted = false;
  std::size_t wanted = 0;       // scenarios that were to run, each counted once a world
  std::string index_path = {};  // where the index page was written
};

}  // namespace holdfast::report
