// The pages as text; html_browser_test.cc opens them in a browser.
#include <gtest/gtest.h>

#include "reports/render/html.h"
#include "reports/render/viewer.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/markup_check.h"
#include "tests/reports/stories.h"

namespace holdfast::report {
namespace {

std::string page_of(const ScenarioResult& result) {
  return render_html(result, result.violations.front(), result.text);
}

// Without style sheet and script: those change for their own reasons.
std::string body_of(const std::string& page) {
  const std::size_t begin = page.find("<main>");
  const std::size_t end = page.find("</main>");
  return page.substr(begin, end + 8 - begin);
}

std::string without(std::string text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  return text.erase(from, text.find(end, from) + end.size() - from);
}

// <input>, <meta> and <link> have no end in HTML; the rest of our pages is well-formed XML.
std::string as_xml(std::string page) {
  for (const char* tag : {"<input", "<meta", "<link"}) {
    for (std::size_t at = page.find(tag); at != std::string::npos; at = page.find(tag, at + 1)) {
      page.insert(page.find('>', at), "/");
    }
  }
  std::size_t hidden = page.find(" hidden>");
  if (hidden != std::string::npos) page.erase(hidden, 7);
  page = without(page, "<!DOCTYPE html>", "\n");
  page = without(page, "<style>", "</style>");
  if (page.find("<script>") != std::string::npos) page = without(page, "<script>", "</script>");
  return page;
}

TEST(HtmlPage, AViolationLooksAsRecorded) {
  HistoryBuilder h = story({"n1"}, "two-holders");
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).acquires("B", "b1", 10'000).ends(2'000);
  expect_golden("page_body.html", body_of(page_of(result_of(std::move(h), "Two at once"))));
}

TEST(HtmlPage, TheFirstScreenComesInTheOrderThatAReaderNeeds) {
  const std::string page = page_of(result_of(gc_pause(), "shows"));
  const char* kOrder[] = {
      "<h1>At 10.900&#160;s two clients held jobs/42",
      "<b>mutual-exclusion</b>",
      "the application outlived its lease",
      "holdfast run scenarios/catalogue/gc-pause.json --seed 7",
      "the same fingerprint, 123456789abcdef0",
      "id=\"cause-1\"",
      "id=\"cause-7\"",
      "<svg class=\"picture\"",
      "id=\"overlap\"",
      "id=\"events\"",
      "The lock, by token",
      "Every invariant of this run",
      "Set-up",
      "Scenario file",
  };
  std::size_t last = 0;
  for (const char* what : kOrder) {
    const std::size_t at = page.find(what, last);
    ASSERT_NE(at, std::string::npos) << what;
    last = at;
  }
}

TEST(HtmlPage, EveryCauseLinksToItsRowInTheEventTable) {
  const ScenarioResult result = result_of(bare_del(), "shows");
  const std::string page = page_of(result);
  for (const Cause& cause : result.violations.front().explanation.causes) {
    const std::string row = "id=\"e" + std::to_string(cause.event) + "\"";
    EXPECT_NE(page.find("href=\"#e" + std::to_string(cause.event) + "\""), std::string::npos);
    EXPECT_NE(tag_with(page, row).find("class=\"is-cause\""), std::string::npos);
  }
  // And every link of the page leads somewhere.
  for (std::size_t at = page.find("href=\"#"); at != std::string::npos;
       at = page.find("href=\"#", at + 1)) {
    const std::string target = page.substr(at + 7, page.find('"', at + 7) - at - 7);
    EXPECT_NE(page.find("id=\"" + target + "\""), std::string::npos) << target;
  }
}

TEST(HtmlPage, IsWellFormed) {
  for (const HistoryBuilder& builder : {gc_pause(), clock_step(), bare_del(), failover()}) {
    EXPECT_EQ(malformed(as_xml(page_of(result_of(builder, "shows")))), "");
  }
  EXPECT_NE(malformed(as_xml(page_of(result_of(gc_pause(), "shows")) + "<b>")), "");
}

TEST(HtmlPage, LoadsNothingFromAnywhere) {
  const std::string page = page_of(result_of(gc_pause(), "shows"));
  for (const char* what : {"http://", "https://", "url(//", "@import", " src="}) {
    std::size_t at = page.find(what);
    // The name of the SVG language is an address that nothing fetches.
    if (at != std::string::npos && page.compare(at, 26, "http://www.w3.org/2000/svg") == 0) {
      at = page.find(what, at + 1);
    }
    EXPECT_EQ(at, std::string::npos) << what << page.substr(at, 80);
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(HtmlPage, NoNameCanBecomeMarkup) {
  constexpr const char* kEvil =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";
  HistoryBuilder h = gc_pause();
  for (history::Names* names :
       {&h.history.actors, &h.history.nodes, &h.history.resources, &h.history.tokens}) {
    history::Names fresh;
    for (std::uint32_t i = 1; i < names->size(); ++i) fresh.intern((*names)[i] + kEvil);
    *names = fresh;
  }
  h.history.fault_text[1] = kEvil;
  h.history.notes.push_back(kEvil);
  h.history.events[3].note = 1;
  ScenarioResult result = result_of(std::move(h), kEvil);
  result.name = result.world = result.file = result.verdict_text = kEvil;
  result.violations.front().reproduce = kEvil;
  const std::string page = render_html(result, result.violations.front(), kEvil);
  EXPECT_EQ(malformed(as_xml(page)), "");
  EXPECT_EQ(page.find("<img"), std::string::npos);
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos;
       at = page.find("<script", at + 1)) {
    ++scripts;
  }
  EXPECT_EQ(scripts, 1u) << "its own";
}

TEST(HtmlPage, ShowsItsScenarioOnlyWhenThereIsOne) {
  const ScenarioResult result = result_of(gc_pause(), "shows");
  EXPECT_EQ(render_html(result, result.violations.front(), "").find("Scenario file"),
            std::string::npos);
  EXPECT_NE(
      render_html(result, result.violations.front(), "{ \"a\": 1 }").find("{ &quot;a&quot;: 1 }"),
      std::string::npos);
}

TEST(HtmlPage, TheClocksAtTheViolationAreTold) {
  const std::string page = page_of(result_of(clock_step(), "shows"));
  EXPECT_NE(page.find("<td>n3</td><td>master</td><td>+10.1 s</td>"), std::string::npos);
  EXPECT_NE(page.find("<td>n1</td><td>master</td><td>true</td>"), std::string::npos);
}

TEST(ViewerStyle, DarkLightAndPrintAreThere) {
  const std::string style(viewer_style());
  EXPECT_NE(style.find("@media (prefers-color-scheme: dark)"), std::string::npos);
  EXPECT_NE(style.find("@media print"), std::string::npos);
}

TEST(HtmlIndex, ListsAllScenariosAndLinksToTheirPages) {
  Report report;
  report.program_version = "0.1.0";
  report.scenarios.push_back(result_of(gc_pause(), "shows & tells"));
  report.scenarios.push_back(result_of(failover(), "not met"));
  report.scenarios[0].violations[0].html_path = "some/where/gc-pause-sim-seed-7.html";
  report.scenarios[1].met = false;
  report.scenarios[1].not_met_because = "held <3> times";
  report.scenarios[1].invariants = {
      {judge::Invariant::leak, "holds", 7, 3, 2, false, "no <key>", 17}};
  const std::string page = render_index(report);
  EXPECT_NE(
      page.find("<div class=\"bad\">leak: held in 7, violated in 3 (seed 17), not judged in 2 "
                "(no &lt;key&gt;)</div>"),
      std::string::npos);
  EXPECT_NE(page.find("1 of 2 expectations met"), std::string::npos);
  EXPECT_NE(page.find("<a href=\"gc-pause-sim-seed-7.html\">seed 7</a>"), std::string::npos);
  EXPECT_NE(page.find("shows &amp; tells"), std::string::npos);
  EXPECT_NE(page.find("held &lt;3&gt; times"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"mark\">ok</td>"), std::string::npos);
  EXPECT_NE(std::string(viewer_style()).find("td.mark { white-space: nowrap;"), std::string::npos);
  EXPECT_EQ(page.find("some/where"), std::string::npos) << "links are relative";
  EXPECT_EQ(malformed(as_xml(page)), "");
}

}  // namespace
}  // namespace holdfast::report
