// Random small histories: mutual-exclusion, promise and backed against a naive computation that
// looks at every instant of the run.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  int below(int bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<int>((state_ >> 11) % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

constexpr int kActors = 3, kNodes = 3, kTicks = 12;
const std::string kNames[kActors] = {"A", "B", "C"};
const std::string kServers[kNodes] = {"n1", "n2", "n3"};

// What is true from an instant on until the next, kept as plainly as can be.
struct Naive {
  bool inside[kActors] = {}, promised[kActors] = {};
  std::string key[kNodes];
};

struct Trial {
  HistoryBuilder h{{kServers[0], kServers[1], kServers[2]}};
  Naive now;
  std::string mine[kActors];
  bool calling[kActors] = {}, over[kActors] = {};
  bool inside_twice = false, promised_twice = false, unbacked = false;
  std::set<std::pair<int, int>> pairs_inside;

  void look() {
    for (int a = 0; a < kActors; ++a) {
      int held = 0;
      for (const auto& key : now.key) held += key == mine[a] && !mine[a].empty() ? 1 : 0;
      unbacked = unbacked || (now.promised[a] && held < 2);
      for (int b = 0; b < a; ++b) {
        if (now.inside[a] && now.inside[b]) pairs_inside.insert({b, a});
        inside_twice = inside_twice || (now.inside[a] && now.inside[b]);
        promised_twice = promised_twice || (now.promised[a] && now.promised[b]);
      }
    }
  }

  void acquire(int a, Dice& dice, int number) {
    if (now.inside[a] || now.promised[a]) return;
    mine[a] = kNames[a] + std::to_string(number);
    h.calls(kNames[a]).sends(kNames[a], mine[a]);
    calling[a] = true;
    over[a] = false;
    for (int n = 0; n < kNodes; ++n) {
      if (dice.below(3) > 0) set(a, n);
    }
    if (dice.below(4) > 0) finish(a);
  }
  void finish(int a) {
    if (!calling[a]) return;
    h.returns(kNames[a]);
    calling[a] = false;
    now.inside[a] = true;
    now.promised[a] = !over[a];
  }
  void set(int a, int n) {
    if (mine[a].empty()) return;
    h.sets(kNames[a], mine[a], 1'000, {kServers[n]});
    now.key[n] = mine[a];
  }
  void lose(int n) {
    if (now.key[n].empty()) return;
    h.key(Kind::key_expired, kServers[n], "", now.key[n]);
    now.key[n].clear();
  }
  void end_promise(int a, Dice& dice) {
    if (!calling[a] && !now.promised[a]) return;
    const Kind kinds[] = {Kind::lost_told, Kind::valid_until_reached, Kind::release_called};
    h.does(kinds[dice.below(3)], kNames[a]);
    over[a] = true;
    now.promised[a] = false;
  }
  void leave(int a) {
    if (!now.inside[a]) return;
    h.does(Kind::section_left, kNames[a]);
    now.inside[a] = false;
  }
  void crash(int a) {
    h.does(Kind::process_crashed, kNames[a]);
    now.inside[a] = now.promised[a] = calling[a] = false;
  }
};

void run(Trial& trial, Dice& dice) {
  int number = 0;
  for (int tick = 0; tick < kTicks; ++tick) {
    trial.h.at(tick);
    for (int i = dice.below(4); i > 0; --i) {  // several events at one instant
      const int a = dice.below(kActors), n = dice.below(kNodes);
      switch (dice.below(8)) {
        case 0:
        case 1:
          trial.acquire(a, dice, ++number);
          break;
        case 2:
          trial.finish(a);
          break;
        case 3:
          trial.set(a, n);
          break;
        case 4:
          trial.lose(n);
          break;
        case 5:
          trial.end_promise(a, dice);
          break;
        case 6:
          trial.leave(a);
          break;
        default:
          if (dice.below(4) == 0) trial.crash(a);
          break;
      }
    }
    trial.look();
  }
  trial.h.ends(kTicks);
}

TEST(RandomHistories, AgreeWithALookAtEveryInstant) {
  int violations[3] = {}, holds[3] = {};
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    Dice dice(seed);
    Trial trial;
    run(trial, dice);
    const Judgement judgement = trial.h.judged();
    const bool expected[] = {trial.inside_twice, trial.promised_twice, trial.unbacked};
    const Invariant which[] = {Invariant::mutual_exclusion, Invariant::promise, Invariant::backed};
    for (int i = 0; i < 3; ++i) {
      const bool found = judgement[which[i]].state == State::violated;
      ASSERT_EQ(found, expected[i]) << name(which[i]) << ", seed " << seed;
      ++(found ? violations : holds)[i];
    }
    std::set<std::pair<int, int>> pairs;
    for (const Witness& one : judgement[Invariant::mutual_exclusion].witnesses) {
      const int a = one.first_actor - 1, b = one.second_actor - 1;
      pairs.insert({std::min(a, b), std::max(a, b)});
      ASSERT_FALSE(one.overlap.empty());
    }
    const auto named = [&](int i) {
      return static_cast<int>(trial.h.history.actors.find(kNames[i])) - 1;
    };
    for (const auto& [a, b] : trial.pairs_inside) {
      const std::pair<int, int> pair = std::minmax({named(a), named(b)});
      ASSERT_TRUE(pairs.count(pair) == 1 || pairs.size() >= 8) << "seed " << seed;
    }
    // What `backed` says implies `promise`: two promises need two quorums.
    ASSERT_TRUE(trial.unbacked || !trial.promised_twice) << "seed " << seed;
  }
  for (int i = 0; i < 3; ++i) {  // both answers were really asked for
    EXPECT_GT(violations[i], 300);
    EXPECT_GT(holds[i], 300);
  }
}

// Histories of others may say anything. Under the sanitizers this is a test of every index.
TEST(RandomHistories, AnyEventsAtAllAreJudgedAndJudgedAlikeTwice) {
  Judge used;  // by all histories before
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    Dice dice(seed);
    HistoryBuilder h({"n1", "n2", "n3"});
    for (const auto& name : kNames) h.actor(name);
    for (const char* name : {"t1", "t2", "t3", "t4"}) h.token(name);
    const std::int64_t values[] = {-2, -1, 0, 0, 0, 1, 1, 2, 3, 99, INT64_MAX, INT64_MIN};
    const auto id = [&](int known) { return dice.below(30) == 0 ? 999 : dice.below(known); };
    for (int i = dice.below(80); i > 0; --i) {
      Event event;
      event.kind = static_cast<Kind>(dice.below(static_cast<int>(Kind::run_ended) + 1));
      event.flag = static_cast<std::uint8_t>(dice.below(4));
      event.actor = static_cast<history::ActorId>(id(4));
      event.node = static_cast<history::NodeId>(id(5));
      event.resource = static_cast<history::ResourceId>(id(3));
      event.grant = static_cast<history::GrantId>(id(6));
      event.token = static_cast<history::TokenId>(id(5));
      event.a = values[dice.below(12)];
      event.b = values[dice.below(12)];
      h.at(dice.below(2) + static_cast<std::int64_t>(h.history.events.size()) * 300).add(event);
    }
    const Judgement first = h.judged();
    const Judgement& second = used.judge(h.history, "");
    ASSERT_EQ(violated(first), violated(second)) << "seed " << seed;
    ASSERT_EQ(first.verdict, second.verdict) << "seed " << seed;
    found += first.verdict == RunVerdict::violated ? 1 : 0;
  }
  EXPECT_GT(found, 300);
}

}  // namespace
}  // namespace holdfast::judge
