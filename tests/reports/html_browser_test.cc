// The page in a real browser: no error on its console, the overlap in its document, its script at
// work. Needs Debian's chromium, which the set-up of the tests installs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "reports/render/html.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/markup_check.h"
#include "tests/reports/stories.h"
#include "tests/reports/temporary_folder.h"

namespace holdfast::report {
namespace {

constexpr const char* kBrowser = "/usr/bin/chromium";

bool browser_there() {
  if (std::filesystem::exists(kBrowser)) return true;
  std::cout << kBrowser << " is not there: the page was not opened\n";
  return false;
}

struct Opened {
  int status = -1;
  std::string dom;
  std::string console;  // what scripts and the page's policy complained about
};

Opened open_in_browser(const std::string& page, const std::string& fragment = "") {
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html", std::ios::binary) << page;
  const std::string command =
      std::string("timeout 60 ") + kBrowser +
      " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
      " --disable-background-networking --disable-component-update --disable-sync"
      " --user-data-dir=" +
      folder.path() +
      "/profile --enable-logging=stderr"
      " --virtual-time-budget=2000 --dump-dom 'file://" +
      folder.path() + "/page.html" + fragment + "' >" + folder.path() + "/dom 2>" + folder.path() +
      "/log";
  Opened opened;
  opened.status = std::system(command.c_str());
  opened.dom = file_contents(folder / "dom");
  std::ifstream log(folder / "log");
  for (std::string line; std::getline(log, line);) {
    if (line.find("CONSOLE") != std::string::npos) opened.console += line + "\n";
  }
  return opened;
}

TEST(HtmlInABrowser, ShowsTheOverlapWithoutAnyError) {
  if (!browser_there()) return;
  const ScenarioResult result = result_of(gc_pause(), "shows");
  const Opened opened =
      open_in_browser(render_html(result, result.violations.front(), result.text));
  EXPECT_EQ(opened.status, 0);
  EXPECT_EQ(opened.console, "");
  const std::string overlap = tag_with(opened.dom, "id=\"overlap\"");
  ASSERT_FALSE(overlap.empty());
  EXPECT_EQ(attribute(overlap, "data-from-ns"), "10900400000");
  EXPECT_GT(number(overlap, "width"), 10.0);
  // The script ran: it showed the filter and counted the rows.
  EXPECT_EQ(tag_with(opened.dom, "id=\"filter\"").find("hidden"), std::string::npos);
  const std::string rows = std::to_string(result.violations.front().history.events.size());
  EXPECT_NE(opened.dom.find(rows + " of " + rows), std::string::npos);
}

TEST(HtmlInABrowser, AnErrorOnThePageWouldBeSeen) {
  if (!browser_there()) return;
  const ScenarioResult result = result_of(gc_pause(), "shows");
  std::string page = render_html(result, result.violations.front(), "");
  page.insert(page.find("</body>"), "<script>no_such_function()</script>");
  EXPECT_NE(open_in_browser(page).console.find("no_such_function"), std::string::npos);
}

TEST(HtmlInABrowser, HostileNamesRunNothing) {
  if (!browser_there()) return;
  constexpr const char* kEvil =
      "</title></script><script>document.title='taken over'</script>"
      "<img src=x onerror=\"document.title='taken over'\">";
  HistoryBuilder h = bare_del();
  for (history::Names* names :
       {&h.history.actors, &h.history.nodes, &h.history.resources, &h.history.tokens}) {
    history::Names fresh;
    for (std::uint32_t i = 1; i < names->size(); ++i) fresh.intern((*names)[i] + kEvil);
    *names = fresh;
  }
  h.history.fault_text[1] = kEvil;
  ScenarioResult result = result_of(std::move(h), kEvil);
  result.name = kEvil;
  const Opened opened = open_in_browser(render_html(result, result.violations.front(), kEvil));
  EXPECT_EQ(opened.status, 0);
  EXPECT_EQ(opened.console, "");
  EXPECT_EQ(opened.dom.find("<title>taken over</title>"), std::string::npos);
  EXPECT_NE(opened.dom.find("id=\"overlap\""), std::string::npos);
}

}  // namespace
}  // namespace holdfast::report
