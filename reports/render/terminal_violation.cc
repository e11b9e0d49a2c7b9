// One violating run on a terminal: sentence, invariant, blame, causes, reproduction, page.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/outcome.h"
#include "reports/render/terminal.h"
#include "reports/render/wrap.h"

namespace holdfast::report {
namespace {

using Lines = std::vector<std::string>;
constexpr std::size_t kLabel = 11;

// "label    text", continued under the text.
void append_labelled(Lines& lines, std::string_view label, std::string_view text,
                     std::size_t columns) {
  bool first = true;
  for (const std::string& part : wrap(escape_terminal(text), columns - kLabel)) {
    lines.push_back(padded(first ? label : "", kLabel) + part);
    first = false;
  }
}

// For what people copy: one line, however long. Nothing for an empty text.
void append_whole(Lines& lines, std::string_view label, std::string_view text) {
  if (!text.empty()) lines.push_back(padded(label, kLabel) + escape_terminal(text));
}

// The causes, with as many lines each as `room` allows for all.
Lines cause_lines(const std::vector<Cause>& causes, std::size_t columns, std::size_t room) {
  constexpr std::size_t kIndent = 16;
  Lines lines;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const std::size_t left = causes.size() - i - 1;
    const std::size_t may = room > lines.size() + left ? room - lines.size() - left : 1;
    std::vector<std::string> parts = wrap(escape_terminal(causes[i].text), columns - kIndent);
    if (parts.size() > may) {
      parts.resize(may);
      parts.back() = shortened(parts.back() + "   ", columns - kIndent - 3) + "...";
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::string head =
          part == 0 ? fmt::format("{:>3}. {:>10} ", i + 1, seconds(causes[i].at)) : "";
      lines.push_back(padded(head, kIndent) + parts[part]);
    }
  }
  return lines;
}

}  // namespace

std::string render_violation(const ScenarioResult& scenario, const ViolationRun& run, bool colour,
                             std::size_t columns) {
  columns = std::max<std::size_t>(columns, 60);
  const Explanation& why = run.explanation;
  Lines head;
  for (const std::string& line :
       wrap(escape_terminal(
                fmt::format("VIOLATED  {} ({}, seed {})", scenario.name, scenario.world, run.seed)),
            columns)) {
    head.push_back(painted(line, "1;31", colour));
  }
  for (const std::string& line : wrap(escape_terminal(why.sentence), columns)) {
    head.push_back(painted(line, "1", colour));
  }
  append_labelled(head, "invariant",
                  fmt::format("{}: {}", judge::name(why.invariant), judge::one_line(why.invariant)),
                  columns);
  if (!why.blame_text.empty()) append_labelled(head, "verdict", why.blame_text, columns);
  std::vector<std::string> also;
  also.reserve(why.also.size());
  for (const auto& one : why.also) also.emplace_back(judge::name(one.invariant));
  if (!also.empty())
    append_labelled(head, "also", "violated in this run: " + listed(also), columns);
  Lines tail;
  const auto [label, note] = again(scenario, run);
  append_whole(tail, label, run.reproduce);
  if (!note.empty()) append_whole(tail, "", fmt::format("({})", note));
  append_whole(tail, "page", run.html_path);
  // An enormous name may fill any page: the head gives way, then the causes.
  constexpr std::size_t kFixed = 1;  // the line "causes"
  const std::size_t most_head = kViolationLines - tail.size() - 9;
  if (head.size() > most_head) head.resize(most_head);
  Lines lines = head;
  if (!why.causes.empty()) {
    lines.emplace_back("causes");
    const std::size_t room = kViolationLines - head.size() - tail.size() - kFixed;
    const Lines causes = cause_lines(why.causes, columns, room);
    lines.insert(lines.end(), causes.begin(),
                 causes.begin() + static_cast<std::ptrdiff_t>(std::min(room, causes.size())));
  }
  lines.insert(lines.end(), tail.begin(), tail.end());
  std::string out;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace holdfast::report
