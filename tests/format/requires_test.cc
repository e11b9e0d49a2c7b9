// The grammar of `requires`, and hand-built histories in which a fact occurs and does not.
#include "scenarios/format/requires.h"

#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

using history::Event;
using history::Kind;
using namespace std::chrono_literals;

// -- checking the text

std::string wrong_with(const std::string& fact) {
  const Scenario scenario = scenario_of(good_file());
  return check_require({fact, {}}, scenario).value_or("");
}

TEST(RequireGrammar, TakesWhatItDocuments) {
  for (const char* fact : {"B acquired while A is paused",
                           "A renewed at least 6 times",
                           "A renewed at least 1 time",
                           "A was refused after B wrote",
                           "A released already_expired or not_owner",
                           "B acquired after 10s",
                           "B never acquired before 10s",
                           "A failed no_replica_ack before n1r promoted",
                           "n1 executed",
                           "n1 restarted",
                           "A told of loss",
                           "A lost",
                           "B read while A is inside",
                           "n1 deleted at least 2 times",
                           "A failed",
                           "A failed at least 2 times",
                           "A left",
                           "A acquired while n1 is crashed",
                           "A wrote while B is holding",
                           "n1 paused",
                           "A released while n1 is paused"}) {
    EXPECT_EQ(wrong_with(fact), "") << fact;
  }
}

TEST(RequireGrammar, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(wrong_with(" "), "a fact must not be empty");
  EXPECT_EQ(errors_of(changed("\"B acquired while A is paused\"", "\" \"")),
            Texts{"9:15: a fact must not be empty"});
}

TEST(RequireGrammar, NamesTheNearestWord) {
  EXPECT_EQ(wrong_with("B aquired"),
            "there is no event \"aquired\" of \"B\"; did you mean \"acquired\"?");
  EXPECT_EQ(wrong_with("D acquired"),
            "no client or server is named \"D\"; known are: A, B, n1, n1r, n2");
  EXPECT_EQ(wrong_with("client A acquired"),
            "no client or server is named \"client\"; known are: A, B, n1, n1r, n2");
  EXPECT_EQ(wrong_with("n3 restarting soon"),
            "no client or server is named \"n3\"; did you mean \"n1\"?");
  EXPECT_EQ(wrong_with("A failed to_late"),
            "there is no outcome \"to_late\"; did you mean \"too_late\"?");
  EXPECT_EQ(wrong_with("B acquired while A is pausd"),
            "there is no state \"pausd\"; did you mean \"paused\"?");
  EXPECT_EQ(
      wrong_with("B acquired when A is paused"),
      "\"when\" is not understood here; expected \"at least N times\", \"while\", \"before\", "
      "\"after\" or the end");
  EXPECT_EQ(wrong_with("B acquired while A paused"), "expected \"while WHO is STATE\"");
  EXPECT_EQ(wrong_with("B acquired at most 2 times"),
            "expected \"at least N times\", with N a whole number above 0");
  EXPECT_EQ(wrong_with("B acquired at least 0 times"),
            "expected \"at least N times\", with N a whole number above 0");
  EXPECT_EQ(wrong_with("B never acquired at least 2 times"), "\"never\" contradicts \"at least\"");
  EXPECT_EQ(wrong_with("B acquired after"), "expected a duration, or who and an event, at the end");
  EXPECT_EQ(
      wrong_with("B acquired after 10 s"),
      "there is no event \"s\" of \"10\"; known are: acquired, failed, renewed, lost, released, "
      "left, wrote, was refused, read, executed, deleted, expired, paused, crashed, restarted, "
      "promoted, told of loss");
  EXPECT_EQ(wrong_with("B acquired after A"),
            "\"A\" is neither a duration, nor followed by an event");
}

TEST(RequireGrammar, KnowsWhatClientsAndServersDo) {
  EXPECT_EQ(wrong_with("n1 acquired"), "this event is of a client, and \"n1\" is a server");
  EXPECT_EQ(wrong_with("A promoted"), "this event is of a server, and \"A\" is a client");
  EXPECT_EQ(wrong_with("A acquired while n1 is inside"),
            "this state is of a client, and \"n1\" is a server");
  EXPECT_EQ(wrong_with("A acquired before A executed"),
            "this event is of a server, and \"A\" is a client");
}

// -- histories

// Writes one event a line: what happened to whom, a second apart.
class Story {
 public:
  Story() {
    history_.actors.intern("A");
    history_.actors.intern("B");
    history_.nodes.intern("n1");
  }
  Story& client(Kind kind, const char* who, std::int64_t a = 0, std::uint8_t flag = 0) {
    Event event;
    event.kind = kind;
    event.actor = static_cast<history::ActorId>(history_.actors.find(who));
    event.a = a;
    event.flag = flag;
    return add(event);
  }
  Story& server(Kind kind, std::int64_t b = 0) {
    Event event;
    event.kind = kind;
    event.node = 1;
    event.b = b;
    return add(event);
  }
  Story& acquired(const char* who) { return client(Kind::acquire_returned, who, 0); }
  Story& scale(double scale) {
    history_.setup.scale = scale;
    return *this;
  }
  bool shows(const std::string& fact) const { return occurred(Require{fact, {}}, history_); }

 private:
  Story& add(Event event) {
    event.at = static_cast<history::Nanos>(history_.events.size() + 1) * 1'000'000'000;
    history_.events.push_back(event);
    return *this;
  }
  history::History history_;
};

constexpr std::uint8_t kWrote = 3;
constexpr std::uint8_t kRead = 2;
constexpr std::uint8_t kWriteRefused = 1;

TEST(Occurred, CountsTheEventsOfTheOneNamed) {
  Story story;
  story.acquired("A").client(Kind::renewed, "A").client(Kind::renewed, "A");
  EXPECT_TRUE(story.shows("A acquired"));
  EXPECT_FALSE(story.shows("B acquired"));
  EXPECT_TRUE(story.shows("A renewed at least 2 times"));
  EXPECT_FALSE(story.shows("A renewed at least 3 times"));
  EXPECT_TRUE(story.shows("B never acquired"));
  EXPECT_FALSE(story.shows("A never acquired"));
}

TEST(Occurred, TellsOutcomesApart) {
  Story story;
  story.client(Kind::acquire_returned, "A", static_cast<std::int64_t>(AcquireOutcome::too_late))
      .client(Kind::release_returned, "B", static_cast<std::int64_t>(ReleaseOutcome::not_owner));
  EXPECT_TRUE(story.shows("A failed"));
  EXPECT_TRUE(story.shows("A failed too_late"));
  EXPECT_FALSE(story.shows("A failed taken"));
  EXPECT_FALSE(story.shows("A acquired"));
  EXPECT_TRUE(story.shows("B released already_expired or not_owner"));
  EXPECT_FALSE(story.shows("B released released"));
}

TEST(Occurred, LooksIntoTheStateOfTheOther) {
  Story story;
  story.acquired("A")
      .client(Kind::process_paused, "A")
      .acquired("B")
      .client(Kind::process_resumed, "A")
      .client(Kind::access_executed, "B", 0, kWrote);
  EXPECT_TRUE(story.shows("B acquired while A is paused"));
  EXPECT_FALSE(story.shows("B wrote while A is paused"));
  EXPECT_TRUE(story.shows("B wrote"));
  EXPECT_FALSE(story.shows("A acquired while B is paused"));
}

TEST(Occurred, KnowsSectionsFromPromises) {
  Story story;
  story.acquired("A")
      .client(Kind::valid_until_reached, "A")
      .acquired("B")
      .client(Kind::section_left, "A")
      .client(Kind::access_executed, "B", 0, kRead);
  EXPECT_TRUE(story.shows("B acquired while A is inside"));
  EXPECT_FALSE(story.shows("B acquired while A is holding"));
  EXPECT_FALSE(story.shows("B read while A is inside"));
  EXPECT_TRUE(story.shows("B acquired after A acquired"));
}

TEST(Occurred, EndsAPromiseAtReleaseLossAndANoFromHeld) {
  const std::vector<std::pair<Kind, std::int64_t>> ends{{Kind::release_called, 0},
                                                        {Kind::lost_told, 0},
                                                        {Kind::held_returned, 0},
                                                        {Kind::process_crashed, 0}};
  for (const auto& [kind, a] : ends) {
    Story story;
    story.acquired("A").client(kind, "A", a).acquired("B");
    EXPECT_FALSE(story.shows("B acquired while A is holding")) << static_cast<int>(kind);
  }
  Story still;
  still.acquired("A").client(Kind::held_returned, "A", 1).acquired("B");
  EXPECT_TRUE(still.shows("B acquired while A is holding"));
}

TEST(Occurred, ComparesWithTheFirstEventOfTheOther) {
  Story story;
  story.client(Kind::access_executed, "A", 0, kWrote)
      .client(Kind::access_executed, "B", 0, kWrote)
      .client(Kind::access_executed, "A", 0, kWriteRefused);
  EXPECT_TRUE(story.shows("A wrote before B wrote"));
  EXPECT_FALSE(story.shows("A wrote after B wrote"));
  EXPECT_TRUE(story.shows("A was refused after B wrote"));
  EXPECT_FALSE(story.shows("A was refused before B wrote"));
}

TEST(Occurred, SaysNothingBeforeOrAfterWhatNeverCame) {
  Story story;
  story.acquired("A");
  EXPECT_FALSE(story.shows("A acquired before B acquired"));
  EXPECT_FALSE(story.shows("A acquired after B acquired"));
  EXPECT_FALSE(story.shows("A never acquired after B acquired"));
}

TEST(Occurred, ScalesItsTimes) {
  Story story;  // events at 1 s, 2 s
  story.acquired("A").acquired("B");
  EXPECT_TRUE(story.shows("B acquired after 2s"));
  EXPECT_FALSE(story.shows("B acquired after 2.1s"));
  EXPECT_TRUE(story.shows("A acquired before 2s"));
  EXPECT_FALSE(story.shows("A acquired before 1s"));
  story.scale(0.2);
  EXPECT_TRUE(story.shows("B acquired after 10s"));
  EXPECT_FALSE(story.shows("B acquired after 10.5s"));
  EXPECT_TRUE(story.shows("B never acquired before 10s"));
}

TEST(Occurred, FollowsServers) {
  Story story;
  story.server(Kind::node_started, 1)
      .server(Kind::node_crashed)
      .acquired("A")
      .server(Kind::node_started, 2)
      .acquired("B")
      .server(Kind::node_paused)
      .server(Kind::command_executed)
      .server(Kind::key_deleted);
  EXPECT_TRUE(story.shows("n1 crashed"));
  EXPECT_TRUE(story.shows("n1 restarted"));
  EXPECT_TRUE(story.shows("A acquired while n1 is crashed"));
  EXPECT_FALSE(story.shows("B acquired while n1 is crashed"));
  EXPECT_TRUE(story.shows("B acquired after n1 restarted"));
  EXPECT_TRUE(story.shows("n1 executed while n1 is paused"));
  EXPECT_TRUE(story.shows("n1 deleted"));
  EXPECT_FALSE(story.shows("n1 promoted"));
  EXPECT_FALSE(story.shows("n1 expired"));
}

TEST(Occurred, DoesNotTakeARestartOfItsOwnForALoss) {
  Story story;
  story.client(Kind::process_started, "A")
      .client(Kind::lost_told, "A", static_cast<std::int64_t>(LossReason::released));
  EXPECT_FALSE(story.shows("A restarted"));
  EXPECT_FALSE(story.shows("A lost"));
  story.client(Kind::lost_told, "A", static_cast<std::int64_t>(LossReason::stolen));
  EXPECT_TRUE(story.shows("A lost"));
}

}  // namespace
}  // namespace holdfast::scenario
