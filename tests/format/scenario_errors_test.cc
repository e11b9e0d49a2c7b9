// Each mistake in a scenario file: its place and its exact words.
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

TEST(ScenarioFile, WithoutMistakesHasNoErrors) { EXPECT_EQ(errors_of(good_file()), Texts{}); }

TEST(ScenarioFile, ThatCannotBeReadIsOneErrorWithoutALine) {
  const ParseResult result = parse_file("no/such/file.json");
  const auto& errors = std::get<std::vector<ParseError>>(result);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].text(), "no/such/file.json: the file cannot be read");
}

TEST(ScenarioFile, ThatIsAProtocolFileIsSaidToBeOne) {
  EXPECT_EQ(
      errors_of(R"({ "holdfast-protocol": 1 })"),
      Texts{"1:1: this is a protocol file; a scenario names it as \"protocol\" in its \"lock\""});
}

TEST(ScenarioFile, MustBeAnObject) {
  EXPECT_EQ(errors_of("[]"), Texts{"1:1: a scenario file must be an object, not an array"});
}

TEST(Keys, UnknownOnesNameTheNearest) {
  EXPECT_EQ(errors_of(changed("\"ttl\"", "\"ttll\"")),
            Texts{"4:51: unknown key \"ttll\" in the lock; did you mean \"ttl\"?"});
  EXPECT_EQ(errors_of(changed("\"wait\"", "\"patience\"")),
            Texts{"7:46: unknown key \"patience\" in an acquire step; known are: acquire, wait, "
                  "on_failure"});
}

TEST(Keys, GivenTwiceAreErrors) {
  EXPECT_EQ(errors_of(changed("\"ttl\": \"10s\"", "\"ttl\": \"10s\", \"ttl\": \"11s\"")),
            Texts{"4:65: duplicate key \"ttl\"; first given at line 4, column 51"});
}

TEST(Keys, ThatAreNeededAreMissed) {
  EXPECT_EQ(errors_of(changed("\"shows\": \"nothing\",", "")),
            Texts{"1:1: \"shows\" is missing in a scenario file"});
}

TEST(Values, OfTheWrongTypeSayWhatWasExpected) {
  EXPECT_EQ(errors_of(changed("\"watchdog\": true", "\"watchdog\": \"yes\"")),
            Texts{"4:77: \"watchdog\" must be true or false, not the text \"yes\""});
  EXPECT_EQ(errors_of(changed("\"small\"", "7")),
            Texts{"1:26: \"name\" must be a text, not the number 7"});
  EXPECT_EQ(errors_of(changed("\"small\"", "\"\"")), Texts{"1:26: \"name\" must not be empty"});
  EXPECT_EQ(errors_of(changed("\"holdfast\": 1", "\"holdfast\": 2")),
            Texts{"1:15: \"holdfast\" must be 1, not the number 2"});
  EXPECT_EQ(errors_of(changed("[ \"B acquired while A is paused\" ]", "\"x\"")),
            Texts{"9:13: \"requires\" must be an array of texts, not the text \"x\""});
  EXPECT_EQ(
      errors_of(good_file(), {{"/min_judged", "1.5"}}),
      Texts{"set /min_judged:1:1: \"min_judged\" must be a number from 0 to 1, not the number "
            "1.5"});
}

TEST(Values, OfAFewWordsListThem) {
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"n2\": { \"persistence\": \"aof\" }")),
            Texts{"2:78: \"persistence\" must be one of \"none\", \"rdb\", \"aof_no\", "
                  "\"aof_everysec\", \"aof_always\", not \"aof\""});
  EXPECT_EQ(errors_of(good_file(), {{"/worlds", "[\"sim\", \"real\"]"}}),
            Texts{"set /worlds:1:1: \"worlds\" may name \"sim\" and \"live\", each once, not "
                  "\"real\""});
}

TEST(Values, BadDurationsShowTheForm) {
  EXPECT_EQ(
      errors_of(changed("\"10s\"", "\"10 s\"")),
      Texts{"4:58: \"ttl\" must be a duration, not the text \"10 s\"; expected a number and a "
            "unit without a space, as in 10s, 250ms, 200us, 1.5s or 2m"});
  EXPECT_EQ(
      errors_of(changed("\"10s\"", "10")),
      Texts{"4:58: \"ttl\" must be a duration, not the number 10; expected a number and a unit "
            "without a space, as in 10s, 250ms, 200us, 1.5s or 2m"});
  EXPECT_EQ(errors_of(changed("\"15s\"", "\"0s\"")),
            Texts{"8:48: \"for\" must be longer than 0s, and is 0s"});
  EXPECT_EQ(errors_of(changed("\"60s\"", "\"-60s\"")),
            Texts{"7:54: \"wait\" must not be negative, and is -60s"});
}

TEST(Names, ThatDangleNameTheNearest) {
  EXPECT_EQ(errors_of(changed("[\"n1\"]", "[\"n11\"]")),
            Texts{"4:44: no server is named \"n11\"; did you mean \"n1\"?"});
  EXPECT_EQ(errors_of(changed("\"write\": \"stock\"", "\"write\": \"stokc\"")),
            Texts{"6:40: no guarded resource is named \"stokc\"; did you mean \"stock\"?"});
  EXPECT_EQ(errors_of(changed("\"pause\": \"A\"", "\"pause\": \"Anna\"")),
            Texts{"8:24: no client or server is named \"Anna\"; known are: A, B, n1, n1r, n2"});
  EXPECT_EQ(errors_of(changed("\"replica_of\": \"n1\"", "\"replica_of\": \"n3\"")),
            Texts{"2:47: no server is named \"n3\"; did you mean \"n1\"?"});
}

TEST(Names, MustBeProperAndDiffer) {
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"2n\": {}")),
            Texts{"2:55: \"2n\" is not a name; expected letters, digits, '-' and '_', a letter "
                  "first"});
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"B\": {}")),
            Texts{"7:2: \"B\" names a server too; names must differ"});
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"guarded\": {}")),
            Texts{"2:55: the name \"guarded\" belongs to the guarded resources' own server"});
}

TEST(Servers, AreMastersOrReplicasOfMasters) {
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"n2\": { \"replica_of\": \"n1r\" }")),
            Texts{"2:77: \"n1r\" is a replica itself; chains of replicas are not built yet"});
  EXPECT_EQ(errors_of(changed("\"n2\": {}", "\"n2\": { \"replica_of\": \"n2\" }")),
            Texts{"2:77: \"n2\" cannot be a replica of itself"});
}

// In place of n2.
Texts errors_of_server(const std::string& server) {
  return errors_of(changed("\"n2\": {}", "\"n2\": " + server));
}

TEST(Sentinels, LookAfterMasters) {
  EXPECT_EQ(errors_of_server("{ \"sentinels\": 3, \"quorum\": 2, \"down_after\": \"1s\" }"),
            Texts{});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": [\"s\", \"t\"], \"parallel_syncs\": 2 }"), Texts{});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": 3, \"replica_of\": \"n1\" }"),
            Texts{"2:76: sentinels look after a master; they find its replicas themselves"});
}

TEST(Sentinels, AreRefusedWhereTheySayNothingSensible) {
  EXPECT_EQ(errors_of_server("{ \"quorum\": 2 }"),
            Texts{"2:73: \"quorum\" needs \"sentinels\" beside it"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": 0 }"),
            Texts{"2:76: \"sentinels\" must be a whole number from 1 to 99, not the number 0"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": [] }"),
            Texts{"2:76: \"sentinels\" must not be empty"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": [\"s\", \"s\"] }"),
            Texts{"2:82: \"s\" is already among the sentinels"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": [\"n1\"] }"),
            Texts{"2:76: \"n1\" is a server's name already; no sentinel can have it"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": [\"A\"] }"),
            Texts{"6:2: \"A\" names a sentinel too; names must differ"});
  EXPECT_EQ(errors_of_server("{ \"sentinels\": 3, \"quorum\": 4 }"),
            Texts{"2:89: \"quorum\" must be a whole number from 1 to 3, not the number 4"});
}

std::string cluster_of(const std::string& servers, const std::string& cluster) {
  return changed("\"n2\": {}", servers + " }, \"cluster\": " + cluster + ", \"network\": {");
}

TEST(Clusters, AreTheServersTogether) {
  const std::string three = "\"n2\": {}, \"n3\": {}, \"n3r\": { \"replica_of\": \"n3\" }";
  EXPECT_EQ(errors_of(cluster_of(three, "{ \"node_timeout\": \"2s\" }")), Texts{});
  EXPECT_EQ(errors_of(cluster_of("\"n2\": {}, \"n2r\": { \"replica_of\": \"n2\" }", "{}")),
            Texts{"2:109: a cluster needs at least 3 masters, and has 2"});
  EXPECT_EQ(errors_of(cluster_of(three, "{ \"node_timeout\": \"1ms\" }")),
            Texts{"2:137: \"node_timeout\" must be at least 100ms"});
  EXPECT_EQ(errors_of(cluster_of(three, "{ \"timeout\": \"1s\" }")),
            Texts{"2:121: unknown key \"timeout\" in the cluster; known are: node_timeout"});
  EXPECT_EQ(errors_of(cluster_of(three, "{}"), {{"/servers/n2/sentinels", "3"}}),
            Texts{"2:55: sentinels do not look after the masters of a cluster"});
  EXPECT_EQ(errors_of(cluster_of(three, "{}"), {{"/lock/algorithm", "\"redlock\""},
                                                {"/lock/nodes", "[\"n1\", \"n2\", \"n3\"]"}}),
            Texts{"4:9: in a cluster the master of its slot alone has a lock's key: \"nodes\" must "
                  "name one node, by which clients enter"});
}

TEST(Steps, MustBeOfAKnownKind) {
  EXPECT_EQ(errors_of(changed("{ \"sleep\": \"1s\" }", "{ \"slep\": \"1s\" }")),
            Texts{"7:11: a step must be one of acquire, release, write, read, work, sleep, "
                  "check_held, repeat; did you mean \"sleep\"?"});
  EXPECT_EQ(errors_of(changed("{ \"sleep\": \"1s\" }", "\"sleep\"")),
            Texts{"7:9: a step must be an object, not the text \"sleep\""});
}

TEST(Steps, ReleaseOnlyWhatTheyAcquired) {
  EXPECT_EQ(
      errors_of(
          changed("{ \"write\": \"stock\" }, { \"release\": \"k\" }", "{ \"release\": \"kk\" }")),
      Texts{"6:42: release of \"kk\", which this client has not acquired before; did you mean "
            "\"k\"?"});
}

TEST(Expectations, NameInvariantsThatAreBuilt) {
  EXPECT_EQ(errors_of(changed("\"mutual-exclusion\": ", "\"mutual-exclusoin\": ")),
            Texts{"10:13: no invariant is named \"mutual-exclusoin\"; did you mean "
                  "\"mutual-exclusion\"?"});
  EXPECT_EQ(errors_of(changed("\"mutual-exclusion\": ", "\"lost-update\": ")),
            Texts{"10:13: the invariant \"lost-update\" is not built yet"});
  EXPECT_EQ(errors_of(changed("\"violated\"", "\"broken\"")),
            Texts{"10:33: \"mutual-exclusion\" must be one of \"holds\", \"violated\", "
                  "\"can-be-violated\", not \"broken\""});
}

TEST(Errors, AreAllToldInTheOrderOfTheFile) {
  std::string text = changed("\"ttl\": \"10s\"", "\"ttl\": \"10\"");
  text.replace(text.find("\"for\""), 5, "\"four\"");
  text.replace(text.find("B acquired"), 10, "C acquired");
  const Texts errors = errors_of(text);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_THAT(errors[0], testing::StartsWith("4:58: \"ttl\" must be a duration"));
  EXPECT_EQ(errors[1], "8:41: unknown key \"four\" in a pause fault; did you mean \"for\"?");
  EXPECT_EQ(errors[2], "9:15: no client or server is named \"C\"; known are: A, B, n1, n1r, n2");
}

}  // namespace
}  // namespace holdfast::scenario
