#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "lockcore/lock.h"
#include "lockcore/terms.h"

namespace holdfast {
namespace {

using std::chrono::days;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Refused {
  std::string name;
  std::function<void(LockOptions&)> spoil;
  std::size_t nodes;
  std::string says;
};

TEST(Options, TheDefaultsAreValidForOneInstanceAndForSeveral) {
  EXPECT_EQ(invalid_reason("jobs/42", {}, 1), "");
  EXPECT_EQ(invalid_reason("jobs/42", {}, 5), "");
}

TEST(Options, WhatCannotWorkIsRefusedWithItsReason) {
  const std::vector<Refused> table = {
      {"no nodes", [](LockOptions&) {}, 0, "node"},
      {"too many nodes", [](LockOptions&) {}, 17, "16"},
      {"short ttl", [](LockOptions& o) { o.ttl = microseconds(9'999); }, 1, "ttl"},
      {"long ttl", [](LockOptions& o) { o.ttl = days(365) + seconds(1); }, 1, "ttl"},
      {"longest ttl there is", [](LockOptions& o) { o.ttl = Duration::max(); }, 1, "ttl"},
      {"wait", [](LockOptions& o) { o.wait = Duration::max(); }, 1, "wait"},
      {"negative wait", [](LockOptions& o) { o.wait = -seconds(1); }, 1, "wait"},
      {"no retry", [](LockOptions& o) { o.retry = Duration::zero(); }, 1, "retry"},
      {"jitter", [](LockOptions& o) { o.retry_jitter = 1.5; }, 1, "retry_jitter"},
      {"node deadline 0", [](LockOptions& o) { o.node_deadline = Duration(); }, 1, "node_deadline"},
      {"node deadline ttl", [](LockOptions& o) { o.node_deadline = o.ttl; }, 1, "node_deadline"},
      {"drift rate", [](LockOptions& o) { o.drift_ppm = 1'000'000; }, 1, "drift_ppm"},
      {"drift eats the ttl", [](LockOptions& o) { o.drift_ppm = 400'000; }, 1, "drift"},
      {"min validity", [](LockOptions& o) { o.min_validity = o.ttl; }, 1, "min_validity"},
      {"negative min validity", [](LockOptions& o) { o.min_validity = -seconds(1); }, 1, "min_val"},
      {"replicas of a quorum", [](LockOptions& o) { o.replicas = 1; }, 3, "replicas"},
      {"negative replicas", [](LockOptions& o) { o.replicas = -1; }, 1, "replicas"},
      {"fencing by a quorum", [](LockOptions& o) { o.fencing = true; }, 3, "fencing"},
      {"max hold", [](LockOptions& o) { o.max_hold = Duration::zero(); }, 1, "max_hold"},
      {"min hold", [](LockOptions& o) { o.min_hold = o.ttl + seconds(1); }, 1, "min_hold"},
      {"cleanup", [](LockOptions& o) { o.cleanup_budget = Duration(); }, 1, "cleanup_budget"},
  };
  for (const auto& refused : table) {
    LockOptions options;
    refused.spoil(options);
    EXPECT_NE(invalid_reason("jobs/42", options, refused.nodes).find(refused.says),
              std::string::npos)
        << refused.name << ": " << invalid_reason("jobs/42", options, refused.nodes);
  }
  EXPECT_NE(invalid_reason("", {}, 1), "");
}

TEST(Options, TheBoundsThemselvesAreValid) {
  LockOptions options;
  options.ttl = milliseconds(10);
  EXPECT_EQ(invalid_reason("k", options, 1), "");
  options.ttl = days(365);
  EXPECT_EQ(invalid_reason("k", options, 1), "");
}

TEST(Terms, TheNodeDeadlineIsATwentiethOfTheTtlWithinBounds) {
  LockOptions options;
  options.ttl = milliseconds(10);
  EXPECT_EQ(Terms(options, 1).node_deadline, milliseconds(5));
  options.ttl = seconds(2);
  EXPECT_EQ(Terms(options, 1).node_deadline, milliseconds(100));
  options.ttl = seconds(30);
  EXPECT_EQ(Terms(options, 1).node_deadline, milliseconds(250));
  options.node_deadline = seconds(1);
  EXPECT_EQ(Terms(options, 1).node_deadline, seconds(1));
}

TEST(Terms, DriftIsOnePercentAndTwoMillisecondsAndTwiceThatMustBeLeft) {
  LockOptions options;
  options.ttl = seconds(10);
  const Terms terms(options, 1);
  EXPECT_EQ(terms.drift, milliseconds(102));
  EXPECT_EQ(terms.min_validity, milliseconds(204));
}

TEST(Terms, TheTtlIsWhatTheNodesCountWholeMilliseconds) {
  LockOptions options;
  options.ttl = microseconds(10'999);
  const Terms terms(options, 1);
  EXPECT_EQ(terms.ttl, milliseconds(10));
  EXPECT_EQ(terms.ttl_ms, "10");
}

TEST(Terms, AQuorumIsTheMajority) {
  EXPECT_EQ(Terms({}, 1).quorum, 1u);
  EXPECT_EQ(Terms({}, 2).quorum, 2u);
  EXPECT_EQ(Terms({}, 3).quorum, 2u);
  EXPECT_EQ(Terms({}, 4).quorum, 3u);
  EXPECT_EQ(Terms({}, 5).quorum, 3u);
}

TEST(Terms, RenewalsWaitForReplicasUnlessToldNotTo) {
  LockOptions options;
  options.replicas = 2;
  EXPECT_EQ(Terms(options, 1).on_acquire.replicas, 2);
  EXPECT_EQ(Terms(options, 1).on_renewal.replicas, 2);
  options.confirm_renewals = false;
  EXPECT_EQ(Terms(options, 1).on_acquire.replicas, 2);
  EXPECT_EQ(Terms(options, 1).on_renewal.replicas, 0);
}

TEST(BackOff, IsJitteredAroundTheRetryPause) {
  const Duration retry = milliseconds(200);
  EXPECT_EQ(jittered(retry, 0.5, 0), milliseconds(100));
  Duration shortest = retry;
  Duration longest = retry;
  for (std::uint64_t random = 1; random < 1000; ++random) {
    const Duration pause = jittered(retry, 0.5, random * 0x9E3779B97F4A7C15u);
    shortest = std::min(shortest, pause);
    longest = std::max(longest, pause);
    ASSERT_GE(pause, milliseconds(100));
    ASSERT_LE(pause, milliseconds(300));
  }
  EXPECT_LT(shortest, milliseconds(110));
  EXPECT_GT(longest, milliseconds(290));
  EXPECT_EQ(jittered(retry, 0.0, 12345), retry);
  EXPECT_GE(jittered(days(365), 1.0, ~std::uint64_t{0}), Duration::zero());
}

}  // namespace
}  // namespace holdfast
