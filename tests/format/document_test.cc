// Positions, comments, duplicates and syntax errors of the document.
#include "scenarios/format/document.h"

#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

Texts document_errors(std::string_view text) {
  Errors errors;
  read_document(text, "d", errors);
  Texts texts;
  for (const ParseError& error : errors.sorted()) texts.push_back(error.text());
  return texts;
}

Value document(std::string_view text) {
  Errors errors;
  auto value = read_document(text, "d", errors);
  EXPECT_TRUE(errors.empty()) << errors.sorted().front().text();
  return value.value_or(Value());
}

std::string place(const Origin& origin) {
  return std::to_string(origin.line) + ":" + std::to_string(origin.column);
}

TEST(Document, EveryKeyAndValueKnowsItsPlace) {
  const Value root = document("{ \"a\": 12,\n  \"b\": [ true, \"x\" ],\n\n\"c\":{\"d\":-1.5e3}}");
  EXPECT_EQ(place(root.origin), "1:1");
  EXPECT_EQ(place(root.members[0].origin), "1:3");
  EXPECT_EQ(place(root.members[0].value.origin), "1:8");
  const Value& array = *root.find("b");
  EXPECT_EQ(place(array.origin), "2:8");
  EXPECT_EQ(place(array.items[0].origin), "2:10");
  EXPECT_EQ(place(array.items[1].origin), "2:16");
  EXPECT_EQ(place(root.find("c")->find("d")->origin), "4:10");
  EXPECT_EQ(root.find("c")->find("d")->real, -1500);
}

TEST(Document, CommentsAndEscapesDoNotShiftPlaces) {
  const Value root =
      document("// {\"no\": 1}\n{ /* \"x\" */ \"a\\\"b\": \"//\\n\", // , ]\n  \"c\": 3 }");
  EXPECT_EQ(place(root.members[0].origin), "2:13");
  EXPECT_EQ(place(root.members[0].value.origin), "2:21");
  EXPECT_EQ(root.find("a\"b")->text, "//\n");
  EXPECT_EQ(place(root.find("c")->origin), "3:8");
}

TEST(Document, ColumnsCountCharactersNotBytes) {
  const Value root = document("\xEF\xBB\xBF{ \"§§\": 1, \"b\": 2 }");
  EXPECT_EQ(place(root.members[1].origin), "1:12");
}

TEST(Document, ADuplicateKeyIsAnErrorAtItsSecondPlace) {
  EXPECT_EQ(document_errors("{ \"ttl\": 1,\n  \"ttl\": 2 }"),
            Texts{"d:2:3: duplicate key \"ttl\"; first given at line 1, column 3"});
  EXPECT_EQ(document_errors("{ \"a\": { \"x\": 1 }, \"b\": { \"x\": 1 } }"), Texts{});
}

TEST(Document, ASyntaxErrorStandsAtTheOffendingToken) {
  const Texts trailing = document_errors("{ \"a\": 1,\n  }");
  ASSERT_EQ(trailing.size(), 1U);
  EXPECT_THAT(trailing[0], testing::StartsWith("d:2:3: not JSON: syntax error"));
  EXPECT_THAT(trailing[0], testing::HasSubstr("unexpected '}'"));
  const Texts word = document_errors("{ \"a\": yes }");
  ASSERT_EQ(word.size(), 1U);
  EXPECT_THAT(word[0], testing::StartsWith("d:1:8: not JSON: "));
  const Texts open = document_errors("{ \"a\": [1, 2");
  ASSERT_EQ(open.size(), 1U);
  EXPECT_THAT(open[0], testing::StartsWith("d:1:13: not JSON: "));
  EXPECT_EQ(document_errors("").size(), 1U);
}

TEST(Document, NumbersAndNestingOutOfRangeAreErrors) {
  EXPECT_EQ(document_errors("[ 9223372036854775807 ]"), Texts{});
  EXPECT_EQ(document_errors("[ 9223372036854775808 ]"), Texts{"d:1:3: this number is too large"});
  EXPECT_EQ(document_errors(std::string(32, '[') + std::string(32, ']')), Texts{});
  EXPECT_EQ(document_errors(std::string(33, '[') + std::string(33, ']')),
            Texts{"d:1:33: nested deeper than 32 levels"});
}

TEST(Document, IsWrittenBackAsJson) {
  const std::string text = "{\"a\":[1,-2,1.5,true,null],\"b\":{\"c\":\"x\\\"y\"}}";
  EXPECT_EQ(to_json(document(text)), text);
}

}  // namespace
}  // namespace holdfast::scenario
