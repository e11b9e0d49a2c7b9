// The table of scenarios; a violation is in terminal_violation.cc.
#include "reports/render/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/wrap.h"

namespace holdfast::report {
namespace {

constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;
using Widths = std::array<std::size_t, kColumns>;
// Columns that wrap when the line is too narrow: what it shows, expectation, verdict.
constexpr std::array<std::size_t, 3> kElastic = {2, 3, 4};
constexpr std::size_t kNarrowest = 12;
constexpr std::size_t kName = 1;  // gives way only when those cannot
constexpr std::size_t kNarrowestName = 16;
constexpr std::size_t kGap = 2;

Row row_of(const ScenarioResult& scenario) {
  const std::string mark = scenario.met ? "ok" : "NOT MET";
  std::string verdict = scenario.verdict_text;
  if (!scenario.environment_failure.empty()) {
    verdict += (verdict.empty() ? "" : "; ") + scenario.environment_failure;
  } else if (!scenario.met && !scenario.not_met_because.empty()) {
    verdict += (verdict.empty() ? "" : ": ") + scenario.not_met_because;
  }
  if (!scenario.second_attempt.empty()) {
    verdict += "; second attempt: the first ended with: " + scenario.second_attempt;
  }
  return {escape_terminal(mark),
          escape_terminal(scenario.name + (scenario.world == "sim" ? "" : " @" + scenario.world)),
          escape_terminal(scenario.shows),
          escape_terminal(scenario.expectation_text),
          escape_terminal(verdict),
          fmt::format("{:.1f} s", scenario.seconds)};
}

// Lines that each row's cell in column `i` takes at each width up to `most`.
std::vector<std::vector<std::size_t>> heights(const std::vector<Row>& rows, std::size_t i,
                                              std::size_t most) {
  std::vector<std::vector<std::size_t>> table(most + 1);
  for (std::size_t w = kNarrowest; w <= most; ++w) {
    for (const Row& row : rows) table[w].push_back(wrap(row[i], w).size());
  }
  return table;
}

// Shares `room` characters among the elastic columns so that the table has the fewest lines.
void share(const std::vector<Row>& rows, std::size_t room, Widths& widths) {
  constexpr std::size_t kFirst = kElastic[0], kSecond = kElastic[1], kThird = kElastic[2];
  const auto first = heights(rows, kFirst, std::max(widths[kFirst], kNarrowest));
  const auto second = heights(rows, kSecond, std::max(widths[kSecond], kNarrowest));
  const auto third = heights(rows, kThird, std::max(widths[kThird], kNarrowest));
  std::size_t fewest = SIZE_MAX;
  for (std::size_t a = kNarrowest; a < first.size(); ++a) {
    for (std::size_t b = kNarrowest; b < second.size() && a + b + kNarrowest <= room; ++b) {
      const std::size_t c = std::min(room - a - b, third.size() - 1);
      std::size_t lines = 0;
      for (std::size_t row = 0; row < rows.size(); ++row) {
        lines += std::max({first[a][row], second[b][row], third[c][row]});
      }
      if (lines >= fewest) continue;
      fewest = lines;
      widths[kFirst] = a;
      widths[kSecond] = b;
      widths[kThird] = c;
    }
  }
}

// Natural widths when they fit; else the elastic columns wrap, and the name only when they cannot.
Widths widths_of(const std::vector<Row>& rows, std::size_t columns) {
  Widths widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::size_t total = kGap * (kColumns - 1);
  for (const std::size_t w : widths) total += w;
  if (total <= columns) return widths;
  const auto fixed = [&widths] {
    return kGap * (kColumns - 1) + widths[0] + widths[kName] + widths[kColumns - 1];
  };
  const std::size_t least = kElastic.size() * kNarrowest;
  if (fixed() + least > columns) {
    const std::size_t over = fixed() + least - columns;
    widths[kName] -= std::min(over, widths[kName] - std::min(widths[kName], kNarrowestName));
  }
  share(rows, std::max(columns, fixed() + least) - fixed(), widths);
  return widths;
}

std::string painted(std::string text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

void print_row(std::string& out, const Row& row, const Widths& widths, bool colour,
               std::string_view mark_code) {
  std::array<std::vector<std::string>, kColumns> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < kColumns; ++i) {
    cells[i] = wrap(row[i], widths[i]);
    height = std::max(height, cells[i].size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t i = 0; i < kColumns; ++i) {
      const std::string cell = line < cells[i].size() ? cells[i][line] : "";
      const bool right = i + 1 == kColumns;
      std::string filled =
          right ? std::string(widths[i] - std::min(widths[i], width(cell)), ' ') + cell
                : padded(cell, widths[i]);
      if (right && cell.empty()) filled.clear();
      if (i == 0 && line == 0) filled = painted(filled, mark_code, colour);
      text += filled;
      if (!right) text.append(kGap, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
}

std::string summary(const Report& report) {
  std::size_t met = 0;
  std::uint64_t runs = 0;
  for (const ScenarioResult& scenario : report.scenarios) {
    met += scenario.met ? 1 : 0;
    runs += scenario.runs;
  }
  std::string text = fmt::format("{} of {} expectations met, {} {}.", met, report.scenarios.size(),
                                 grouped(runs), runs == 1 ? "run" : "runs");
  if (report.interrupted) text += " Interrupted: only what was done is shown.";
  return text;
}

}  // namespace

std::string render_table(const Report& report, bool colour, std::size_t columns) {
  std::vector<Row> rows = {{"", "scenario", "shows", "expectation", "verdict", "time"}};
  for (const ScenarioResult& scenario : report.scenarios) rows.push_back(row_of(scenario));
  const Widths widths = widths_of(rows, std::max<std::size_t>(columns, 60));
  std::string out;
  print_row(out, rows.front(), widths, colour, "1");
  std::size_t line = kGap * (kColumns - 1);
  for (const std::size_t w : widths) line += w;
  out += std::string(line, '-') + "\n";
  for (std::size_t i = 0; i < report.scenarios.size(); ++i) {
    print_row(out, rows[i + 1], widths, colour, report.scenarios[i].met ? "32" : "1;31");
  }
  return out + "\n" + summary(report) + "\n";
}

}  // namespace holdfast::report
