#include "lockcore/scripts.h"

#include <gtest/gtest.h>

#include "tests/lockcore/manual_env.h"
#include "tests/lockcore/sha1.h"

namespace holdfast {
namespace {

using test::ManualClient;
using test::ManualEnv;
using test::Running;

TEST(Sha1, AgreesWithTheExamplesOfItsStandard) {
  EXPECT_EQ(test::sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(test::sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST(Scripts, CarryTheSha1OfTheirSource) {
  for (const Script* script : {&kAcquireScript, &kExtendScript, &kReleaseScript}) {
    EXPECT_EQ(script->sha1, test::sha1_hex(script->source)) << script->source;
  }
}

TEST(Scripts, AreSentWithTheKeysAndArgumentsThatThereAre) {
  const ScriptCall call = {&kReleaseScript, {"k"}, {"token"}};
  EXPECT_EQ(as_evalsha(call), Command({"EVALSHA", kReleaseScript.sha1, "1", "k", "token"}));
  EXPECT_EQ(as_eval(call), Command({"EVAL", kReleaseScript.source, "1", "k", "token"}));
  const ScriptCall fenced = {&kAcquireScript, {"k", "{k}:fence"}, {"id:1", "id:", "500"}};
  EXPECT_EQ(as_evalsha(fenced),
            Command({"EVALSHA", kAcquireScript.sha1, "2", "k", "{k}:fence", "id:1", "id:", "500"}));
}

TEST(FenceKey, StaysInTheHashSlotOfItsLock) {
  EXPECT_EQ(fence_key("jobs/42"), "{jobs/42}:fence");
  EXPECT_EQ(fence_key("{tenant}/jobs"), "{tenant}/jobs:fence");
  EXPECT_EQ(fence_key("a{b"), "{a{b}:fence");
  EXPECT_EQ(fence_key("{}x"), "{{}x}:fence");
}

class Eval : public testing::Test {
 protected:
  Running<Written> start(Replication replication, const Sender& sender) {
    Running<Written> running(env_, eval(client_, call_, replication,
                                        test::at(std::chrono::seconds(1)), LateReply(), sender));
    env_.settle();
    return running;
  }
  ManualEnv env_;
  ManualClient client_;
  ScriptCall call_ = {&kReleaseScript, {"k"}, {"token"}};
  const Reply no_script_ = Reply::error("NOSCRIPT No matching script. Please use EVAL.");
};

TEST_F(Eval, SendsTheSha1AndNothingElseWhenTheNodeKnowsIt) {
  auto running = start({}, kUntilTheDeadline);
  client_.answer(Reply::number(1));
  ASSERT_TRUE(running.done());
  EXPECT_TRUE(running.value().result.reply.is_integer(1));
  ASSERT_EQ(client_.sent.size(), 1u);
  EXPECT_EQ(client_.sent[0], as_evalsha(call_));
}

TEST_F(Eval, FallsBackToTheSourceWhenTheNodeDoesNotKnowIt) {
  auto running = start({}, kUntilTheDeadline);
  client_.answer(no_script_);
  ASSERT_FALSE(running.done());
  ASSERT_EQ(client_.sent.size(), 2u);
  EXPECT_EQ(client_.sent[1], as_eval(call_));
  client_.answer(Reply::number(1));
  ASSERT_TRUE(running.done());
  EXPECT_TRUE(running.value().result.reply.is_integer(1));
}

TEST_F(Eval, DoesNotFallBackBehindItsOwnRelease) {
  struct Cancelled final : Sender {
    bool may_send() const override { return false; }
  } cancelled;
  auto running = start({}, cancelled);
  client_.answer(no_script_);
  ASSERT_TRUE(running.done());
  EXPECT_EQ(running.value().result.known, Known::not_executed);
  EXPECT_EQ(client_.sent.size(), 1u);
}

TEST_F(Eval, DoesNotFallBackOnAnyOtherError) {
  auto running = start({}, kUntilTheDeadline);
  client_.answer(Reply::error("LOADING Redis is loading the dataset in memory"));
  ASSERT_TRUE(running.done());
  EXPECT_EQ(client_.sent.size(), 1u);
}

TEST_F(Eval, SendsWaitRightBehindTheWriteAndCountsItsAnswer) {
  Replication replication;
  replication.replicas = 2;
  replication.timeout_ms = 125;
  auto running = start(replication, kUntilTheDeadline);
  ASSERT_EQ(client_.sent.size(), 2u);
  EXPECT_EQ(client_.sent[1], Command({"WAIT", "2", "125"}));
  client_.answer({classify(Reply::number(1)), classify(Reply::number(2))});
  ASSERT_TRUE(running.done());
  EXPECT_EQ(running.value().acknowledged, 2);
}

TEST_F(Eval, CountsNoAcknowledgementWhenWaitFailed) {
  Replication replication;
  replication.replicas = 1;
  auto running = start(replication, kUntilTheDeadline);
  client_.answer({classify(Reply::number(1)),
                  classify(Reply::error("ERR WAIT cannot be used with replica instances."))});
  ASSERT_TRUE(running.done());
  EXPECT_TRUE(running.value().result.answered());
  EXPECT_EQ(running.value().acknowledged, 0);
}

}  // namespace
}  // namespace holdfast
