// The judge: reads one history, says for each invariant whether it held. Never converts clocks and
// never believes the lock core; see the definitions in each invariant's file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/history.h"

namespace holdfast::judge {

enum class Invariant : std::uint8_t {
  mutual_exclusion,
  promise,
  backed,
  stale_write,
  foreign_touch,
  zombie_renewal,
  leak,
  progress,
  late_loss,
  validity,
  bounded_calls,
};
inline constexpr std::size_t kInvariants = 11;
std::string_view name(Invariant invariant);      // "mutual-exclusion"
std::string_view one_line(Invariant invariant);  // what it says, for reports
// kInvariants when there is none of that name.
std::size_t find_invariant(std::string_view name);

enum class State : std::uint8_t { held, violated, not_judged };

// Half-open interval of true time.
struct Interval {
  history::Nanos begin = 0;
  history::Nanos end = 0;
  bool empty() const { return begin >= end; }
};

// For each overlapping pair: was the promise broken too?
enum class Blame : std::uint8_t {
  none,
  application_outlived_lease,  // sections overlap, promises do not
  lock_lied,                   // both overlap
  lied_nobody_hurt,            // promises overlap, sections do not
};
inline constexpr std::size_t kBlames = 4;

// Why an invariant is violated: who, when, and the events that led there (indices into
// History::events). Two parties where two are involved; the second is 0 elsewhere.
struct Witness {
  history::ResourceId resource = 0;
  history::NodeId node = 0;
  history::ActorId first_actor = 0, second_actor = 0;
  history::GrantId first_grant = 0, second_grant = 0;
  Interval first, second;             // the two intervals (sections, promises, ...)
  Interval overlap;                   // where they collide, or the instant of the violation
  std::vector<std::uint32_t> events;  // in order
  Blame blame = Blame::none;          // of this pair: mutual_exclusion and promise only
};

struct Finding {
  State state = State::not_judged;
  std::string why = {};  // not judged: what was missing ("no write", "no rival", ...)
  std::vector<Witness> witnesses = {};  // earliest first, at most 8
};

enum class RunVerdict : std::uint8_t {
  violated,
  environment_failure,
  out_of_budget,
  vacuous,
  no_violation,
};
std::string_view name(RunVerdict verdict);

struct Judgement {
  RunVerdict verdict = RunVerdict::vacuous;
  std::array<Finding, kInvariants> findings;
  Blame blame = Blame::none;  // the worst of all pairs: lied, outlived, nobody hurt
  // Why the run does not show what its scenario wants to show; empty: it does. A violation is one
  // all the same, but not the one that was to be forced.
  std::string vacuous_because = {};
  std::uint32_t grants = 0;            // successful outermost acquires
  std::uint32_t contended_grants = 0;  // of them: another owner wanted or held the lock meanwhile

  const Finding& operator[](Invariant invariant) const {
    return findings[static_cast<std::size_t>(invariant)];
  }
  Finding& operator[](Invariant invariant) { return findings[static_cast<std::size_t>(invariant)]; }
};

// Keeps its scratch memory between runs, so that judging allocates nothing on the steady path.
class Judge {
 public:
  Judge();
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // `unmet_requires`: the scenario's `requires` that did not occur (empty: all did); a run with
  // one, or with an unconditional fault that did not fire, was not proved, or struck when every
  // client was done, is vacuous.
  const Judgement& judge(const history::History& history, std::string_view unmet_requires);

 private:
  struct Scratch;
  Scratch* scratch_;
};

}  // namespace holdfast::judge
