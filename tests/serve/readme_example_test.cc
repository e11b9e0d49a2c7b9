// The README's example of a unit test, as it stands there.
// -- example
#include <gtest/gtest.h>

#include "sim/fake_redis.h"

using namespace std::chrono_literals;

TEST(Sessions, AreForgottenAfterHalfAnHour) {
  holdfast::sim::FakeRedis redis;  // no process, no socket, and a clock that stands still
  redis.call({"SET", "session:7", "ada", "PX", "1800000"});
  redis.advance(29min);
  EXPECT_EQ(redis.call({"GET", "session:7"}).text, "ada");
  redis.advance(2min);
  EXPECT_TRUE(redis.call({"GET", "session:7"}).is_nil());
}

TEST(Sessions, AreLostWithTheServersClock) {
  holdfast::sim::FakeRedis redis;
  redis.call({"SET", "session:7", "ada", "PX", "1800000"});
  redis.server().step_wall(31min);  // also pause(), crash(), restart(), answer_error() ...
  EXPECT_TRUE(redis.call({"GET", "session:7"}).is_nil());
}
// -- example

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ReadmeExample, IsTheOneThatIsCompiledHere) {
  const std::string mark = "// -- example\n";
  const std::string here = contents(HOLDFAST_SOURCE_DIR "/tests/serve/readme_example_test.cc");
  const auto begin = here.find(mark) + mark.size();
  const std::string example = here.substr(begin, here.find(mark, begin) - begin);
  ASSERT_GT(example.size(), 500U);
  EXPECT_NE(contents(HOLDFAST_SOURCE_DIR "/README.md").find("```cpp\n" + example + "```"),
            std::string::npos);
}

}  // namespace
