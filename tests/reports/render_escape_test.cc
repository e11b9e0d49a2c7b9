#include <gtest/gtest.h>

#include "reports/render/escape.h"
#include "reports/render/wrap.h"

namespace holdfast::report {
namespace {

TEST(EscapeMarkup, NothingOfANameActsAsMarkup) {
  EXPECT_EQ(escape_markup("<script>alert('1' + \"2\")</script> & co"),
            "&lt;script&gt;alert(&#39;1&#39; + &quot;2&quot;)&lt;/script&gt; &amp; co");
  EXPECT_EQ(escape_markup("jobs/42"), "jobs/42");
}

TEST(EscapeMarkup, WhatXmlDoesNotAllowBecomesTheReplacementCharacter) {
  EXPECT_EQ(escape_markup(std::string("a\0b\x1b[1m", 7)), "a\uFFFDb\uFFFD[1m");
  EXPECT_EQ(escape_markup("\xEF\xBF\xBF"), "\uFFFD");  // U+FFFF
  EXPECT_EQ(escape_markup("tab\tline\n"), "tab\tline\n");
}

TEST(ValidUtf8, BytesThatAreNoUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(valid_utf8("gr\u00FC\u00DFe \u2713 \U0001F512"), "gr\u00FC\u00DFe \u2713 \U0001F512");
  EXPECT_EQ(valid_utf8("\xFF"), "\uFFFD");
  EXPECT_EQ(valid_utf8("\xC3"), "\uFFFD");                      // cut off
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
}

TEST(EscapeTerminal, ControlCharactersCannotReachTheTerminal) {
  EXPECT_EQ(escape_terminal("a\x1b]0;title\x07\nb"), "a?]0;title??b");
  EXPECT_EQ(escape_terminal("\u00FC \u009B"), "\u00FC ?");
}

TEST(EscapeMarkdown, SpecialCharactersAreLiteralAndLinesStayOne) {
  EXPECT_EQ(escape_markdown("a|b *c* [d](e) <f>\ng"), "a\\|b \\*c\\* \\[d\\](e) \\<f\\> g");
}

TEST(FileName, CannotLeaveItsFolder) {
  EXPECT_EQ(file_name("../../etc/passwd"), "_..-..-etc-passwd");
  EXPECT_EQ(file_name("gc pause \u2713"), "gc-pause----");
  EXPECT_EQ(file_name(""), "_");
  EXPECT_EQ(file_name(std::string(1'000, 'x')).size(), 200u);
}

TEST(Wrap, BreaksAtSpacesAndCutsWhatIsLongerThanALine) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefgh ij", 3), (std::vector<std::string>{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(wrap("stale-write", 8), (std::vector<std::string>{"stale-", "write"}));
  EXPECT_EQ(wrap("", 3), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("\u00FC\u00FC \u00FC", 2), (std::vector<std::string>{"\u00FC\u00FC", "\u00FC"}));
}

TEST(Shortened, KeepsWholeCharacters) {
  EXPECT_EQ(shortened("\u00FC\u00FC\u00FC", 2), "\u00FC\u2026");
  EXPECT_EQ(shortened("abc", 3), "abc");
}

}  // namespace
}  // namespace holdfast::report
