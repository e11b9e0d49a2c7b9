#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "reports/history/kind_names.h"
#include "reports/read/history_json.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::History;
using history::Kind;

// A history with every field in use.
History full() {
  History h;
  for (const char* name : {"A", "B \"quoted\"\n"}) h.actors.intern(name);
  for (const char* name : {"n1", "n1r", "guarded"}) h.nodes.intern(name);
  for (const char* name : {"jobs/42", "stock"}) h.resources.intern(name);
  h.tokens.intern("0123:1");
  h.fault_text.push_back("pause A for 15 s");
  h.notes.push_back("n1 died: signal 11");
  h.fingerprint = 0xfedc'ba98'7654'3210;
  h.kernel_events = 812;
  h.setup = {.scenario = "gc-pause",
             .world = "live",
             .seed = 0xffff'ffff'ffff'ffff,
             .until = 120'000'000'000,
             .scale = 0.1,
             .locks = {},
             .nodes = {{1, 0, false}, {2, 1, false}, {3, 0, true}},
             .guarded = {2},
             .clients = {1, 2},
             .fault_count = 2,
             .fault_unconditional = {true, false},
             .slack = 20'000'000,
             .evidence = {true, false, true}};
  h.setup.locks.push_back({.resource = 1,
                           .nodes = {1},
                           .quorum = 1,
                           .ttl = 10,
                           .node_deadline = 2,
                           .poll = 3,
                           .replicas = 1,
                           .watchdog = true,
                           .belief = history::Belief::ttl_from_reply,
                           .guards = {2}});
  for (int i = 1; i <= static_cast<int>(history::kLastKind); ++i) {
    Event event;
    event.at = i * 1'000;
    event.seq = static_cast<std::uint32_t>(i * 2);
    event.kind = static_cast<Kind>(i);
    h.events.push_back(event);
  }
  h.events.push_back({.at = std::int64_t{1} << 61,
                      .seq = 0xffff'ffff,
                      .kind = Kind::access_executed,
                      .flag = 255,
                      .actor = 2,
                      .node = 3,
                      .resource = 2,
                      .grant = 0xffff'ffff,
                      .token = 1,
                      .note = 1,
                      .a = std::numeric_limits<std::int64_t>::min(),
                      .b = std::numeric_limits<std::int64_t>::max()});
  return h;
}

std::string written(const History& h) {
  std::ostringstream out;
  write_history(out, h);
  return out.str();
}

std::variant<History, HistoryError> read(const std::string& text) {
  std::istringstream in(text);
  return read_history(in);
}

TEST(HistoryFile, ReadsBackWhatWasWritten) {
  const History h = full();
  const auto result = read(written(h));
  ASSERT_TRUE(std::holds_alternative<History>(result))
      << std::get<HistoryError>(result).line << ": " << std::get<HistoryError>(result).message;
  const History& back = std::get<History>(result);
  EXPECT_EQ(back.setup, h.setup);
  EXPECT_EQ(back.actors, h.actors);
  EXPECT_EQ(back.nodes, h.nodes);
  EXPECT_EQ(back.resources, h.resources);
  EXPECT_EQ(back.tokens, h.tokens);
  EXPECT_EQ(back.fault_text, h.fault_text);
  EXPECT_EQ(back.notes, h.notes);
  EXPECT_EQ(back.fingerprint, h.fingerprint);
  EXPECT_EQ(back.kernel_events, h.kernel_events);
  EXPECT_EQ(back.events, h.events);
  EXPECT_EQ(written(back), written(h));
}

TEST(HistoryFile, IsOneHeaderAndOneLineAnEvent) {
  History h;
  h.actors.intern("A");
  h.events.push_back({.at = 5, .seq = 0, .kind = Kind::process_started, .actor = 1, .b = 1});
  const std::string text = written(h);
  EXPECT_EQ(text.substr(0, 22), "{\"holdfast-history\":1,");
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "{\"at\":5,\"kind\":\"process_started\",\"actor\":\"A\",\"b\":1}\n");
}

struct Broken {
  const char* line;
  const char* message;
};

TEST(HistoryFile, TellsTheLineAndWhatIsWrongWithIt) {
  const std::string header = "{\"holdfast-history\":1,\"actors\":[\"A\"]}\n";
  const std::string first = "{\"at\":5,\"kind\":\"client_done\",\"actor\":\"A\"}\n\n";
  ASSERT_TRUE(std::holds_alternative<History>(read(header + first)));
  const Broken cases[] = {
      {"{\"at\":6,", "not JSON"},
      {"[]", "not a JSON object"},
      {"{\"at\":6,\"kind\":\"client_don\"}", "unknown kind \"client_don\""},
      {"{\"at\":6}", "unknown kind \"\""},
      {"{\"kind\":\"client_done\"}", "an event without \"at\", its time"},
      {"{\"at\":6,\"kind\":\"client_done\",\"actr\":\"A\"}", "unknown field \"actr\""},
      {"{\"at\":6,\"kind\":\"client_done\",\"actor\":\"B\"}",
       "\"actor\": the header lists no \"B\""},
      {"{\"at\":6,\"kind\":\"client_done\",\"actor\":1}", "\"actor\" is not a name"},
      {"{\"at\":6.5,\"kind\":\"client_done\"}", "\"at\" is not a whole number in its range"},
      {"{\"at\":-1,\"kind\":\"client_done\"}", "\"at\" is not between 0 and 73 years"},
      {"{\"at\":6,\"kind\":\"client_done\",\"flag\":256}",
       "\"flag\" is not a whole number in its range"},
      {"{\"at\":6,\"kind\":\"client_done\",\"grant\":-1}",
       "\"grant\" is not a whole number in its range"},
      {"{\"at\":6,\"kind\":\"client_done\",\"note\":1}", "\"note\": the header has no such note"},
      {"{\"at\":4,\"kind\":\"client_done\"}", "\"at\" lies before the event above it"},
  };
  for (const Broken& broken : cases) {
    const auto result = read(header + first + broken.line + "\n");
    ASSERT_TRUE(std::holds_alternative<HistoryError>(result)) << broken.line;
    EXPECT_EQ(std::get<HistoryError>(result).line, 4u) << broken.line;
    EXPECT_EQ(std::get<HistoryError>(result).message, broken.message);
  }
}

TEST(HistoryFile, RefusesABadHeader) {
  const Broken cases[] = {
      {"", "empty: a history begins with a header"},
      {"{}", "not a history of version 1: the first line must say \"holdfast-history\""},
      {"{\"holdfast-history\":2}",
       "not a history of version 1: the first line must say \"holdfast-history\""},
      {"{\"holdfast-history\":1,\"actors\":[\"A\",\"A\"]}",
       "\"actors\" must be different, non-empty names"},
      {"{\"holdfast-history\":1,\"setup\":{\"locks\":[{\"lock\":\"L\"}]}}",
       "\"lock\": the header lists no \"L\""},
      {"{\"holdfast-history\":1,\"resources\":[\"L\"],\"setup\":{\"locks\":[{\"lock\":\"L\","
       "\"belief\":\"hope\"}]}}",
       "unknown belief \"hope\""},
      {"{\"holdfast-history\":1,\"setup\":{\"slack\":-1}}",
       "\"slack\" is not between 0 and ten years"},
      {"{\"holdfast-history\":1,\"setup\":{\"locks\":[{}]}}", "a lock without \"lock\", its name"},
      {"{\"holdfast-history\":1,\"fingerprint\":\"xyz\"}",
       "\"fingerprint\" is not a hexadecimal number"},
      {"{\"holdfast-history\":1,\"setup\":{\"evidence\":{\"server_keys\":1}}}",
       "\"server_keys\" is not true or false"},
  };
  for (const Broken& broken : cases) {
    const auto result = read(broken.line);
    ASSERT_TRUE(std::holds_alternative<HistoryError>(result)) << broken.line;
    EXPECT_EQ(std::get<HistoryError>(result).line, 1u);
    EXPECT_EQ(std::get<HistoryError>(result).message, broken.message);
  }
}

TEST(HistoryFile, BytesThatAreNoTextDoNotBreakIt) {
  History h;
  h.tokens.intern("\xff\xfe");
  h.events.push_back({.at = 1, .seq = 0, .kind = Kind::attempt_sent, .token = 1});
  const auto result = read(written(h));
  ASSERT_TRUE(std::holds_alternative<History>(result));
  EXPECT_EQ(std::get<History>(result).events, h.events);
}

}  // namespace
}  // namespace holdfast::report
