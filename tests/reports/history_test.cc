#include "reports/history/history.h"

#include <gtest/gtest.h>

#include "reports/history/kind_names.h"

namespace holdfast::history {
namespace {

TEST(Names, AreNumberedFromOneInTheOrderOfFirstUse) {
  Names names;
  EXPECT_EQ(names.intern("a"), 1u);
  EXPECT_EQ(names.intern("b"), 2u);
  EXPECT_EQ(names.intern("a"), 1u);
  EXPECT_EQ(names.find("b"), 2u);
  EXPECT_EQ(names.find("c"), 0u);
  EXPECT_EQ(names[2], "b");
  EXPECT_EQ(names.size(), 3u);
}

TEST(Names, TheEmptyNameIsNone) {
  Names names;
  EXPECT_EQ(names.intern(""), 0u);
  EXPECT_EQ(names.find(""), 0u);
  EXPECT_EQ(names[0], "");
  EXPECT_EQ(names.size(), 1u);
}

TEST(Names, TruncateForgetsTheLaterOnes) {
  Names names;
  names.intern("a");
  names.intern("b");
  names.truncate(2);
  EXPECT_EQ(names.size(), 2u);
  EXPECT_EQ(names.find("b"), 0u);
  EXPECT_EQ(names.intern("c"), 2u);
  EXPECT_EQ(names[2], "c");
  names.truncate(9);  // never grows
  EXPECT_EQ(names.size(), 3u);
  names.truncate(0);  // 0 stays
  EXPECT_EQ(names.size(), 1u);
}

TEST(Names, ForgottenNamesDoNotCountWhenComparing) {
  Names used;
  used.intern("a");
  used.intern("b");
  used.truncate(2);
  Names fresh;
  fresh.intern("a");
  EXPECT_EQ(used, fresh);
  fresh.intern("b");
  EXPECT_FALSE(used == fresh);
}

TEST(History, ClearRunKeepsTheSetUpAndTheNames) {
  History history;
  history.actors.intern("A");
  history.setup.scenario = "s";
  history.fault_text.push_back("pause A");
  history.notes.push_back("note");
  history.events.resize(3);
  history.fingerprint = 7;
  history.kernel_events = 8;
  history.clear_run();
  EXPECT_TRUE(history.events.empty());
  EXPECT_EQ(history.notes.size(), 1u);
  EXPECT_EQ(history.fingerprint, 0u);
  EXPECT_EQ(history.kernel_events, 0u);
  EXPECT_EQ(history.actors.find("A"), 1u);
  EXPECT_EQ(history.fault_text.size(), 2u);
  EXPECT_EQ(history.setup.scenario, "s");
}

TEST(KindNames, EachKindHasAWordOfItsOwn) {
  for (int i = 1; i <= static_cast<int>(kLastKind); ++i) {
    const auto kind = static_cast<Kind>(i);
    EXPECT_FALSE(kind_name(kind).empty());
    EXPECT_EQ(find_kind(kind_name(kind)), kind) << kind_name(kind);
  }
  EXPECT_EQ(find_kind("acquire_caled"), Kind::none);
  EXPECT_EQ(find_kind("none"), Kind::none);
  // Fixed points of the table: a word moved by one would be a different history.
  EXPECT_EQ(kind_name(Kind::acquire_called), "acquire_called");
  EXPECT_EQ(kind_name(Kind::access_executed), "access_executed");
  EXPECT_EQ(kind_name(Kind::key_dropped), "key_dropped");
  EXPECT_EQ(kind_name(Kind::node_impaired), "node_impaired");
  EXPECT_EQ(kind_name(Kind::run_ended), "run_ended");
}

}  // namespace
}  // namespace holdfast::history
