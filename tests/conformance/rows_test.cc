// Every row of the table in both worlds: "Simulated.E1...", "Real.E1..."; real rows that take
// longer than a build server has are "SlowReal.P8..." and run by name only.
#include <gtest/gtest.h>

#include <string>

#include "tests/conformance/play.h"

namespace holdfast::conformance {
namespace {

class RowTest : public testing::Test {
 public:
  RowTest(World world, const Row& row) : world_(world), row_(row) {}
  void TestBody() override {
    const Finding finding = play_in(world_, row_);
    EXPECT_FALSE(finding) << row_.id << ": " << finding.text;
  }

 private:
  World world_;
  const Row& row_;
};

void add(const std::string& suite, World world, const Row& row) {
  const std::string name = std::string(row.id) + std::string(row.what);
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [world, &row]() -> RowTest* { return new RowTest(world, row); });
}

}  // namespace
}  // namespace holdfast::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  using holdfast::conformance::Label;
  using holdfast::conformance::World;
  for (const holdfast::conformance::Row* row : holdfast::conformance::all_rows()) {
    holdfast::conformance::add("Simulated", World::simulated, *row);
    holdfast::conformance::add(row->label == Label::ci ? "Real" : "SlowReal", World::real, *row);
  }
  return RUN_ALL_TESTS();
}
