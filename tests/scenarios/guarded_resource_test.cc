#include "scenarios/workload/guarded_resource.h"

#include <gtest/gtest.h>

#include "sim/redis/sha1.h"

namespace holdfast::workload {
namespace {

TEST(GuardedResource, TheSha1OfItsScriptIsRight) {
  EXPECT_EQ(sim::redis::sha1_hex(access_script()), access_script_sha1());
}

TEST(GuardedResource, AnAccessIsReadBackFromItsLogEntry) {
  const auto access = parse_logged_access("w1 16777217 33 1002");
  ASSERT_TRUE(access);
  EXPECT_TRUE(access->write);
  EXPECT_TRUE(access->accepted);
  EXPECT_EQ(access->grant, 16777217U);
  EXPECT_EQ(access->fencing_token, 33);
  EXPECT_EQ(access->value, 1002);
}

TEST(GuardedResource, SomethingElseInTheListIsNoAccess) {
  EXPECT_FALSE(parse_logged_access(""));
  EXPECT_FALSE(parse_logged_access("x1 1 2 3"));
  EXPECT_FALSE(parse_logged_access("w1 one 2 3"));
}

}  // namespace
}  // namespace holdfast::workload
