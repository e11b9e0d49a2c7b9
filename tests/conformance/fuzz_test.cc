// The fuzzer itself, without a real server: a simulated one against another that sometimes lies.
#include <gtest/gtest.h>

#include "tests/conformance/fuzz_compare.h"

namespace holdfast::conformance {
namespace {

// Answers as a simulated server does, but for one value.
class Liar final : public Side {
 public:
  explicit Liar(std::string value) : value_(std::move(value)) {}
  void begin() override { honest_->begin(); }
  void send(int connection, std::span<const Command> commands) override {
    honest_->send(connection, commands);
  }
  std::vector<Reply> take(int connection, std::size_t wanted) override {
    std::vector<Reply> replies = honest_->take(connection, wanted);
    for (Reply& reply : replies) {
      if (reply == Reply::bulk(value_)) reply = Reply();
    }
    return replies;
  }
  void settle() override { honest_->settle(); }
  void step_clocks(Duration by) override { honest_->step_clocks(by); }
  void wait_for_replica() override { honest_->wait_for_replica(); }

 private:
  std::unique_ptr<Side> honest_ = simulated_side();
  std::string value_;
};

TEST(Fuzzer, FindsNoDifferenceBetweenTwoSimulatedServers) {
  const auto first = simulated_side();
  const auto second = simulated_side();
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Sequence sequence = generate(7, number);
    EXPECT_FALSE(compare(sequence, *first, *second)) << text_of(sequence);
  }
}

TEST(Fuzzer, FindsALieAndTheShortestWayToIt) {
  const auto honest = simulated_side();
  Liar liar("hello");
  Sequence found;
  for (std::uint64_t number = 0; number < 1000 && found.empty(); ++number) {
    Sequence sequence = generate(7, number);
    if (compare(sequence, *honest, liar)) found = std::move(sequence);
  }
  ASSERT_FALSE(found.empty());
  const Sequence shortest = shrink(found, *honest, liar);
  ASSERT_TRUE(compare(shortest, *honest, liar)) << text_of(shortest);
  EXPECT_LE(shortest.size(), 3U) << text_of(shortest);
  for (std::size_t left_out = 0; left_out < shortest.size(); ++left_out) {
    Sequence shorter = shortest;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_FALSE(compare(shorter, *honest, liar)) << text_of(shorter);
  }
}

TEST(Fuzzer, GeneratesTheSameSequenceFromTheSameNumber) {
  EXPECT_EQ(text_of(generate(1, 5)), text_of(generate(1, 5)));
  EXPECT_NE(text_of(generate(1, 5)), text_of(generate(1, 6)));
  EXPECT_NE(text_of(generate(1, 5)), text_of(generate(2, 5)));
}

TEST(Fuzzer, FindsADifferenceInTime) {
  const auto first = simulated_side();
  const auto second = simulated_side();
  const Sequence sequence{{0, false, Command{"SET", "k", "v", "PX", "100"}, {}},
                          {0, false, {}, std::chrono::milliseconds(101)},
                          {kOnReplica, false, Command{"GET", "k"}, {}}};
  EXPECT_FALSE(compare(sequence, *first, *second));
  class Late final : public Side {
   public:
    void begin() override { on_time_->begin(); }
    void send(int connection, std::span<const Command> commands) override {
      on_time_->send(connection, commands);
    }
    std::vector<Reply> take(int connection, std::size_t wanted) override {
      return on_time_->take(connection, wanted);
    }
    void settle() override {}
    void step_clocks(Duration by) override {
      on_time_->step_clocks(by - std::chrono::milliseconds(1));
    }
    void wait_for_replica() override { on_time_->wait_for_replica(); }

   private:
    std::unique_ptr<Side> on_time_ = simulated_side();
  };
  Late late;
  EXPECT_TRUE(compare(sequence, *first, late));
}

}  // namespace
}  // namespace holdfast::conformance
