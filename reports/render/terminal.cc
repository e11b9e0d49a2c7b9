// The table of scenarios and what stands below it; a violation is in terminal_violation.cc.
#include "reports/render/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/outcome.h"
#include "reports/render/wrap.h"

namespace holdfast::report {
namespace {

// Two texts of one scenario stand one above the other in each of the two wide columns.
struct Row {
  std::string mark;
  std::array<std::string, 2> what = {};     // its name; what it shows
  std::array<std::string, 2> verdict = {};  // verdict; expectation
  std::string time = {};
  std::vector<std::string> pages = {};  // whole lines of their own: people copy them
  std::string_view colour = "1";
};
struct Widths {
  std::size_t mark = 0, what = 0, verdict = 0, time = 0;
};
constexpr std::size_t kGap = 2;
constexpr std::size_t kGaps = 3 * kGap;
constexpr std::size_t kNarrowest = 12;
constexpr std::size_t kLeastColumns = 60;

Row heading() { return {"", {"scenario", "what it shows"}, {"verdict", "expectation"}, "time"}; }

Row row_of(const ScenarioResult& scenario) {
  Row row{std::string(mark(scenario))};
  row.what = {
      escape_terminal(scenario.name + (scenario.world == "sim" ? "" : " @" + scenario.world)),
      escape_terminal(scenario.shows)};
  row.verdict = {escape_terminal(whole_verdict(scenario)),
                 escape_terminal("expects " + scenario.expectation_text)};
  row.time = fmt::format("{:.1f} s", scenario.seconds);
  for (const ViolationRun& run : scenario.violations) {
    if (!run.html_path.empty()) row.pages.push_back("report: " + escape_terminal(run.html_path));
  }
  row.colour = scenario.met ? "32" : "1;31";
  return row;
}

std::vector<std::string> wrapped(const std::array<std::string, 2>& texts, std::size_t columns) {
  std::vector<std::string> lines = wrap(texts[0], columns);
  for (std::string& line : wrap(texts[1], columns)) lines.push_back(std::move(line));
  return lines;
}

std::size_t natural(const std::array<std::string, 2>& texts) {
  return std::max(width(texts[0]), width(texts[1]));
}

// Natural widths when they fit; else those of the two wide columns that give the fewest lines.
Widths widths_of(const std::vector<Row>& rows, std::size_t columns) {
  Widths widths;
  for (const Row& row : rows) {
    widths.mark = std::max(widths.mark, width(row.mark));
    widths.what = std::max(widths.what, natural(row.what));
    widths.verdict = std::max(widths.verdict, natural(row.verdict));
    widths.time = std::max(widths.time, width(row.time));
  }
  const std::size_t room = columns - kGaps - widths.mark - widths.time;
  if (widths.what + widths.verdict <= room) return widths;
  std::size_t fewest = SIZE_MAX;
  const Widths most = widths;
  for (std::size_t what = kNarrowest; what <= std::min(most.what, room - kNarrowest); ++what) {
    const std::size_t verdict = std::min(most.verdict, room - what);
    std::size_t lines = 0;
    for (const Row& row : rows) {
      lines += std::max(wrapped(row.what, what).size(), wrapped(row.verdict, verdict).size());
    }
    if (lines >= fewest) continue;
    fewest = lines;
    widths.what = what;
    widths.verdict = verdict;
  }
  return widths;
}

void print_row(std::string& out, const Row& row, const Widths& widths, bool colour) {
  const auto what = wrapped(row.what, widths.what);
  const auto verdict = wrapped(row.verdict, widths.verdict);
  const auto line_of = [](const std::vector<std::string>& lines, std::size_t line) {
    return line < lines.size() ? lines[line] : std::string();
  };
  const std::string gap(kGap, ' ');
  for (std::size_t line = 0; line < std::max(what.size(), verdict.size()); ++line) {
    const bool first = line == 0;
    std::string text = padded(first ? row.mark : "", widths.mark);
    if (first) text = painted(text, row.colour, colour);
    text += gap + padded(line_of(what, line), widths.what);
    text += gap + padded(line_of(verdict, line), widths.verdict);
    if (first) text += gap + std::string(widths.time - width(row.time), ' ') + row.time;
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  for (const std::string& page : row.pages) {
    out += std::string(widths.mark + kGap, ' ') + page + "\n";
  }
}

std::vector<Row> rows_of(const Report& report) {
  std::vector<Row> rows = {heading()};
  for (const ScenarioResult& scenario : report.scenarios) rows.push_back(row_of(scenario));
  return rows;
}

}  // namespace

std::string render_table(const Report& report, bool colour, std::size_t columns) {
  const std::vector<Row> rows = rows_of(report);
  const Widths widths = widths_of(rows, std::max(columns, kLeastColumns));
  std::string out;
  print_row(out, rows.front(), widths, colour);
  out += std::string(kGaps + widths.mark + widths.what + widths.verdict + widths.time, '-') + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) print_row(out, rows[i], widths, colour);
  return out;
}

std::string render_summary(const Report& report, bool colour, std::size_t columns) {
  std::uint64_t runs = 0;
  for (const ScenarioResult& scenario : report.scenarios) runs += scenario.runs;
  std::string out =
      fmt::format("{}, {} {}.", headline(report), grouped(runs), runs == 1 ? "run" : "runs");
  if (report.interrupted) out += " " + interruption(report);
  out += "\n";
  if (!report.index_path.empty()) out += "report: " + escape_terminal(report.index_path) + "\n";
  if (report.scenarios.size() == 1) return out;
  const std::vector<Row> rows = rows_of(report);
  const Widths widths = widths_of(rows, std::max(columns, kLeastColumns));
  std::string again;
  for (std::size_t i = 0; i < report.scenarios.size(); ++i) {
    const ScenarioResult& scenario = report.scenarios[i];
    if (!scenario.met && !scenario.interrupted) print_row(again, rows[i + 1], widths, colour);
  }
  return out + (again.empty() ? "" : "\n") + again;
}

std::string render_line(const ScenarioResult& scenario) {
  const Row row = row_of(scenario);
  const std::string verdict = whole_verdict(scenario);  // a server's log may follow
  return fmt::format("{:<7}  {}: {} ({})", row.mark, row.what[0],
                     escape_terminal(verdict.substr(0, verdict.find('\n'))), row.time);
}

}  // namespace holdfast::report
