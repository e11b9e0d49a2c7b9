#include "lockcore/attempt_token.h"

#include <gtest/gtest.h>

#include "tests/lockcore/manual_env.h"

namespace holdfast {
namespace {

TEST(AttemptToken, Is128RandomBitsInHexAndTheAttempt) {
  test::ManualEnv env;
  const AttemptToken token(env);
  EXPECT_EQ(token.text(), "000102030405060708090a0b0c0d0e0f:1");
  EXPECT_EQ(token.id_prefix(), "000102030405060708090a0b0c0d0e0f:");
}

TEST(AttemptToken, KeepsItsIdAndCountsItsAttempts) {
  test::ManualEnv env;
  AttemptToken token(env);
  const std::string id(token.id_prefix());
  for (int attempt = 2; attempt <= 12; ++attempt) {
    token.next_attempt();
    EXPECT_EQ(token.text(), id + std::to_string(attempt));
  }
  EXPECT_EQ(token.attempt(), 12u);
}

TEST(AttemptToken, DiffersBetweenAcquisitions) {
  test::ManualEnv env;
  const AttemptToken one(env);
  const AttemptToken other(env);
  EXPECT_NE(one.id_prefix(), other.id_prefix());
}

}  // namespace
}  // namespace holdfast
