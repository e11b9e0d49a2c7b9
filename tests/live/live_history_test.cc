#include "scenarios/live/live_history.h"

#include <gtest/gtest.h>

namespace holdfast::live {
namespace {

using history::Kind;
using namespace std::chrono_literals;

ClientLine line(Kind kind, Duration at, std::int64_t a = 0, std::int64_t b = 0) {
  ClientLine one;
  one.at = (100s + at).count();
  one.kind = kind;
  one.grant = 7;
  one.a = a;
  one.b = b;
  return one;
}
ClientLine watch(Duration at, Duration until) {
  return line(Kind::valid_until_reached, at, (100s + until).count(), kWatch);
}

class LiveHistoryTest : public testing::Test {
 protected:
  // Times of valid_until_reached in ms.
  std::vector<std::int64_t> reached(Duration end) {
    live_.finish(Instant(100s + end), 1);
    std::vector<std::int64_t> times;
    for (const auto& event : history_.events) {
      if (event.kind == Kind::valid_until_reached) times.push_back(event.at / 1'000'000);
    }
    return times;
  }
  history::History history_;
  LiveHistory live_{history_, Instant(100s)};
};

TEST_F(LiveHistoryTest, TheEndOfValidityIsWrittenAtItsInstantAlsoWhileTheClientIsStopped) {
  live_.add(1, watch(1s, 5s));
  EXPECT_EQ(reached(20s), std::vector<std::int64_t>{5000});
}

TEST_F(LiveHistoryTest, ARenewalMovesIt) {
  live_.add(1, watch(1s, 5s));
  live_.add(1, watch(3s, 8s));
  EXPECT_EQ(reached(20s), std::vector<std::int64_t>{8000});
}

TEST_F(LiveHistoryTest, ARenewalThatComesTooLateTakesNothingBack) {
  live_.add(1, watch(1s, 5s));
  live_.add(1, watch(6s, 8s));
  EXPECT_EQ(reached(20s), (std::vector<std::int64_t>{5000, 8000}));
}

TEST_F(LiveHistoryTest, ReleaseAndCrashTakeItBack) {
  live_.add(1, watch(1s, 5s));
  live_.add(1, line(Kind::valid_until_reached, 2s, 0, kForget));
  live_.add(2, watch(1s, 5s));
  history::Event crash;
  crash.kind = Kind::process_crashed;
  crash.actor = 2;
  live_.add(Instant(103s), crash);
  EXPECT_TRUE(reached(20s).empty());
}

TEST_F(LiveHistoryTest, EventsOfAllSourcesAreInTheOrderOfTheHostsClock) {
  live_.add(1, line(Kind::acquire_called, 2s));
  history::Event crash;
  crash.kind = Kind::node_crashed;
  live_.add(Instant(101s), crash);
  live_.finish(Instant(103s), 1);
  ASSERT_EQ(history_.events.size(), 3U);
  EXPECT_EQ(history_.events[0].kind, Kind::node_crashed);
  EXPECT_EQ(history_.events[0].at, 1'000'000'000);
  EXPECT_EQ(history_.events[1].kind, Kind::acquire_called);
  EXPECT_EQ(history_.events[2].kind, Kind::run_ended);
}

TEST(ClientEvents, ALineComesBackAsItWas) {
  ClientLine one = line(Kind::attempt_sent, 1s, -5, 1'000'000'000'000);
  one.resource = "jobs/42";
  one.token = "abc:1";
  std::string text = to_line(one);
  ASSERT_EQ(text.back(), '\n');
  text.pop_back();
  const auto back = parse_client_line(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->at, one.at);
  EXPECT_EQ(back->kind, one.kind);
  EXPECT_EQ(back->a, one.a);
  EXPECT_EQ(back->b, one.b);
  EXPECT_EQ(back->resource, one.resource);
  EXPECT_EQ(back->token, one.token);
}

TEST(ClientEvents, ATornLineIsNoEvent) {
  EXPECT_FALSE(parse_client_line(""));
  EXPECT_FALSE(parse_client_line("12\t3"));
  EXPECT_FALSE(parse_client_line("12\t999\t0\t0\t0\tr\tt"));
}

TEST(ClientEvents, OrdersComeBackAsTheyWere) {
  ClientOrders orders;
  orders.scenario_text = "{ \"a\": 1 } // \n";
  orders.client = "A";
  orders.scale = 0.1;
  orders.start_at = 123456789012345;
  orders.addresses.push_back({"n1", "127.0.0.1", 4711});
  const std::string text = to_json_line(orders);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto back = parse_orders(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->scenario_text, orders.scenario_text);
  EXPECT_EQ(back->start_at, orders.start_at);
  ASSERT_EQ(back->addresses.size(), 1U);
  EXPECT_EQ(back->addresses[0].port, 4711);
  EXPECT_FALSE(parse_orders("not json"));
}

}  // namespace
}  // namespace holdfast::live
