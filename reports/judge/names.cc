// Names and one-line descriptions of invariants and verdicts, as files and reports spell them.
#include "reports/judge/verdict.h"

namespace holdfast::judge {
namespace {

struct Words {
  std::string_view name, line;
};

// In the order of Invariant.
constexpr std::array<Words, kInvariants> kWords = {{
    {"mutual-exclusion", "no two clients are inside the section of one resource at the same time"},
    {"promise", "no two clients are promised the same lock at the same time"},
    {"backed", "while a client is promised the lock, a quorum of servers holds its token"},
    {"stale-write", "the resource accepts no write of an earlier holder after one of a later one"},
    {"foreign-touch", "no client removes, overwrites or prolongs a live key of another grant"},
    {"zombie-renewal", "nothing is renewed after release was called, loss was told or a crash"},
    {"leak", "a failed or released acquire leaves no key behind, and none is without a TTL"},
    {"progress", "while the lock is free and reachable, some waiter gets it within a bound"},
    {"late-loss", "a client whose lease is over is told so, and never told that it holds it"},
    {"validity", "a quorum of servers keeps the key for as long as the client is told"},
    {"bounded-calls", "every call returns within its bound"},
}};

constexpr std::array<std::string_view, 5> kVerdicts = {"violated", "environment failure",
                                                       "out of budget", "vacuous", "no violation"};

}  // namespace

std::string_view name(Invariant invariant) {
  return kWords[static_cast<std::size_t>(invariant)].name;
}

std::string_view one_line(Invariant invariant) {
  return kWords[static_cast<std::size_t>(invariant)].line;
}

std::size_t find_invariant(std::string_view name) {
  std::size_t index = 0;
  while (index < kInvariants && kWords[index].name != name) ++index;
  return index;
}

std::string_view name(RunVerdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

}  // namespace holdfast::judge
