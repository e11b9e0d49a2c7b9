// The picture: what is drawn where.
#include <gtest/gtest.h>

#include <cmath>

#include "reports/render/picture.h"
#include "reports/render/svg.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/markup_check.h"
#include "tests/reports/stories.h"

namespace holdfast::report {
namespace {

std::string svg_of(const ViolationRun& run) {
  const Record record(run.history);
  return draw_svg(make_picture(record, run.judgement, run.explanation));
}

TEST(Picture, TheDrawingOfAStoryLooksAsRecorded) {
  expect_golden("gc_pause.svg", svg_of(run_of(gc_pause())));
}

TEST(Picture, IsWellFormed) {
  for (const HistoryBuilder& builder :
       {gc_pause(), gc_pause(true), clock_step(), bare_del(), failover()}) {
    EXPECT_EQ(malformed(svg_of(run_of(builder))), "");
  }
}

TEST(Picture, TheOverlapIsWhereTheSectionsMeet) {
  const std::string svg = svg_of(run_of(gc_pause()));
  const std::string overlap = tag_with(svg, "id=\"overlap\"");
  ASSERT_FALSE(overlap.empty());
  EXPECT_EQ(attribute(overlap, "data-from-ns"), "10900400000");
  EXPECT_EQ(attribute(overlap, "data-to-ns"), "17204000000");
  const std::string a = tag_with(svg, "c1 section");
  const std::string b = tag_with(svg, "c2 section");
  const double begin = number(overlap, "x");
  const double end = begin + number(overlap, "width");
  EXPECT_NEAR(begin, number(b, "x"), 0.11) << "it begins when B comes in";
  EXPECT_NEAR(end, number(a, "x") + number(a, "width"), 0.11) << "it ends when A leaves";
  // Over both lanes.
  EXPECT_LE(number(overlap, "y"), number(a, "y"));
  EXPECT_GE(number(overlap, "y") + number(overlap, "height"), number(b, "y") + number(b, "height"));
}

TEST(Picture, IsTrueToScale) {
  const std::string svg = svg_of(run_of(gc_pause()));
  // No break in this story: 18.901 s from edge to edge.
  ASSERT_EQ(svg.find("class=\"break\""), std::string::npos);
  constexpr double kPlot = (Layout::kPlotRight - Layout::kPlotLeft) / 10.0;
  const std::string a = tag_with(svg, "c1 section");
  EXPECT_NEAR(number(a, "width"), kPlot * (17.204 - 0.2004) / 18.901, 0.2);
  EXPECT_NEAR(number(a, "x"), Layout::kPlotLeft / 10.0 + kPlot * 0.2004 / 18.901, 0.2);
  const std::string overlap = tag_with(svg, "id=\"overlap\"");
  EXPECT_NEAR(number(overlap, "width"), kPlot * (17.204 - 10.9004) / 18.901, 0.2);
}

TEST(Picture, BeliefAndTruthEndWhereTheyEnded) {
  const std::string svg = svg_of(run_of(clock_step()));
  const std::string promise = tag_with(svg, "c1 promise");
  const std::string backed = tag_with(svg, "\"backed\"");
  EXPECT_GT(number(promise, "width"), number(backed, "width")) << "A's promise outlasts its quorum";
  EXPECT_NEAR(number(promise, "x") + number(promise, "width"),
              number(tag_with(svg, "id=\"overlap\""), "x") +
                  number(tag_with(svg, "id=\"overlap\""), "width"),
              0.2);
}

TEST(Picture, AKeyThinsTowardsItsDeadlineAndOneWithoutTtlDoesNot) {
  const auto heights = [](const std::string& svg) {
    // x0,base x0,top x1,top x1,base
    const std::string points = attribute(tag_with(svg, "c1 key"), "points");
    double v[8] = {};
    EXPECT_EQ(std::sscanf(points.c_str(), "%lf,%lf %lf,%lf %lf,%lf %lf,%lf", &v[0], &v[1], &v[2],
                          &v[3], &v[4], &v[5], &v[6], &v[7]),
              8);
    return std::pair(v[1] - v[3], v[7] - v[5]);
  };
  const auto [begin, end] = heights(svg_of(run_of(gc_pause())));
  EXPECT_DOUBLE_EQ(begin, 32.0);
  EXPECT_LE(end, 1.0);
  HistoryBuilder h = gc_pause();
  for (auto& e : h.history.events) {
    if (e.kind == Kind::key_set) e.a = -1;
  }
  const auto [eternal_begin, eternal_end] = heights(svg_of(run_of(std::move(h))));
  EXPECT_DOUBLE_EQ(eternal_begin, 32.0);
  EXPECT_DOUBLE_EQ(eternal_end, 32.0);
}

TEST(Picture, RefusedWritesAreDrawnApartFromAcceptedOnes) {
  const std::string fenced = svg_of(run_of(gc_pause(true)));
  EXPECT_NE(fenced.find("access-refused"), std::string::npos);
  EXPECT_EQ(svg_of(run_of(gc_pause())).find("access-refused"), std::string::npos);
}

TEST(Picture, ADeletionByAnotherClientIsMarkedAndOnesOwnIsNot) {
  EXPECT_NE(svg_of(run_of(bare_del())).find("DEL by A"), std::string::npos);
  EXPECT_EQ(svg_of(run_of(gc_pause())).find("DEL by"), std::string::npos);
}

TEST(Picture, FaultsPausesDeathsAndPromotionsAreThere) {
  const std::string svg = svg_of(run_of(failover()));
  for (const char* what : {">F1<", ">F2<", ">F3<", "class=\"down\"", ">master<", "cut-link"}) {
    EXPECT_NE(svg.find(what), std::string::npos) << what;
  }
  EXPECT_NE(svg_of(run_of(gc_pause())).find("class=\"stopped\""), std::string::npos);
  EXPECT_NE(svg_of(run_of(clock_step())).find(">+10.1 s<"), std::string::npos);
}

TEST(Picture, EveryCauseIsNumberedOnTheAxisAndLinksToItsLine) {
  const ViolationRun run = run_of(bare_del());
  const std::string svg = svg_of(run);
  for (std::size_t i = 1; i <= run.explanation.causes.size(); ++i) {
    EXPECT_NE(svg.find("<a href=\"#cause-" + std::to_string(i) + "\">"), std::string::npos);
  }
  EXPECT_EQ(svg.find("#cause-" + std::to_string(run.explanation.causes.size() + 1)),
            std::string::npos);
}

TEST(Picture, QuietTimeIsCutOutAndMarked) {
  HistoryBuilder h = gc_pause();
  for (auto& e : h.history.events) {
    if (e.at > 9'500 * kMs) e.at += 3'600'000 * kMs;
  }
  const std::string svg = svg_of(run_of(std::move(h)));
  EXPECT_NE(svg.find("class=\"break\""), std::string::npos);
  EXPECT_NE(svg.find("quiet time cut out where marked"), std::string::npos);
  EXPECT_EQ(malformed(svg), "");
}

TEST(Picture, NamesCannotBecomeMarkup) {
  HistoryBuilder h = gc_pause();
  const auto rename = [](history::Names& names, const char* text) {
    history::Names fresh;
    for (std::uint32_t i = 1; i < names.size(); ++i) fresh.intern(names[i] + text);
    names = fresh;
  };
  for (history::Names* names :
       {&h.history.actors, &h.history.nodes, &h.history.resources, &h.history.tokens}) {
    rename(*names, "<script>\"'&");
  }
  h.history.fault_text[1] = "</title><script>alert(1)</script>";
  const std::string svg = svg_of(run_of(std::move(h)));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(malformed(svg), "");
}

TEST(Picture, AnEmptyOrDamagedHistoryStillDraws) {
  ViolationRun run;
  EXPECT_EQ(malformed(svg_of(run)), "");
  run = run_of(gc_pause());
  run.history.setup.clients.clear();
  run.history.setup.nodes.clear();
  run.history.setup.locks.clear();
  EXPECT_EQ(malformed(svg_of(run)), "");
}

}  // namespace
}  // namespace holdfast::report
