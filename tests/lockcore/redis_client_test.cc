#include "lockcore/redis_client.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

Known known(std::string_view error) { return classify(Reply::error(error)).known; }

TEST(Classify, WhatIsNoErrorIsAnAnswer) {
  EXPECT_TRUE(classify(Reply::status("OK")).answered());
  EXPECT_TRUE(classify(Reply()).answered());
  EXPECT_TRUE(classify(Reply::number(0)).answered());
  EXPECT_TRUE(classify(Reply::bulk("ERR is only text here")).answered());
}

TEST(Classify, RefusalsBeforeDispatchWereNotExecuted) {
  for (const char* text : {
           "NOSCRIPT No matching script. Please use EVAL.",
           "LOADING Redis is loading the dataset in memory",
           "READONLY You can't write against a read only replica.",
           "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
           "MOVED 3999 127.0.0.1:6381",
           "ASK 3999 127.0.0.1:6381",
           "NOAUTH Authentication required.",
           "CLUSTERDOWN The cluster is down",
           "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
           "NOREPLICAS Not enough good replicas to write.",
           "OOM command not allowed when used memory > 'maxmemory'.",
           "MISCONF Redis is configured to save RDB snapshots, but ...",
           "ERR unknown command 'NOSUCH', with args beginning with: ",
           "WRONGTYPE Operation against a key holding the wrong kind of value",
       }) {
    EXPECT_EQ(known(text), Known::not_executed) << text;
  }
}

TEST(Classify, AnErrorInsideAScriptMayHaveBeenExecutedBecauseScriptsDoNotRollBack) {
  const std::string suffix =
      " script: 362ef267c1435f9f9e03ab1b78d088b2c34ee861, on @user_script:2.";
  EXPECT_EQ(known("OOM command not allowed when used memory > 'maxmemory'." + suffix),
            Known::maybe_executed);
  EXPECT_EQ(known("NOREPLICAS Not enough good replicas to write." + suffix), Known::maybe_executed);
  EXPECT_EQ(known("MISCONF Redis is configured to ..." + suffix), Known::maybe_executed);
  EXPECT_EQ(known("ERR value is not an integer or out of range" + suffix), Known::maybe_executed);
  EXPECT_EQ(known("WRONGTYPE Operation against a key ..." + suffix), Known::maybe_executed);
}

TEST(Classify, AReplicaRefusesAScriptsFirstWriteSoNothingWasExecuted) {
  EXPECT_EQ(known("READONLY You can't write against a read only replica. script: 362e, on "
                  "@user_script:2."),
            Known::not_executed);
}

TEST(Classify, AnErrorThatIsNotOnTheListMayHaveBeenExecuted) {
  EXPECT_EQ(known("UNBLOCKED force unblock from blocking operation, instance state changed"),
            Known::maybe_executed);
  EXPECT_EQ(known("BUSYGROUP Consumer Group name already exists"), Known::maybe_executed);
  EXPECT_EQ(known(""), Known::maybe_executed);
}

TEST(Command, KeepsItsArgumentsInOrderWhateverTheyHold) {
  Command command = {"SET", "", std::string_view("a\0b", 3)};
  command.add(-42);
  ASSERT_EQ(command.size(), 4u);
  EXPECT_EQ(command[0], "SET");
  EXPECT_EQ(command[1], "");
  EXPECT_EQ(command[2], std::string_view("a\0b", 3));
  EXPECT_EQ(command[3], "-42");
}

TEST(Command, HoldsMoreArgumentsThanFitInPlace) {
  Command command;
  for (int number = 0; number < 40; ++number) command.add(number);
  ASSERT_EQ(command.size(), 40u);
  for (int number = 0; number < 40; ++number) {
    EXPECT_EQ(command[static_cast<std::size_t>(number)], std::to_string(number));
  }
  const Command copy = command;
  EXPECT_EQ(copy, command);
  command.clear();
  EXPECT_TRUE(command.empty());
  command.add("PING");
  EXPECT_EQ(command, Command({"PING"}));
}

TEST(Command, IsEmptyAfterItWasMovedAway) {
  Command command = {"GET", "k"};
  const Command taken = std::move(command);
  EXPECT_EQ(taken, Command({"GET", "k"}));
  EXPECT_TRUE(command.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  command = taken;
  EXPECT_EQ(command[1], "k");
}

TEST(Command, DiffersWhenTheBoundsOfItsArgumentsDo) {
  EXPECT_NE(Command({"GET", "ab", "c"}), Command({"GET", "a", "bc"}));
  EXPECT_NE(Command({"GET", "a"}), Command({"GET", "a", ""}));
}

}  // namespace
}  // namespace holdfast
