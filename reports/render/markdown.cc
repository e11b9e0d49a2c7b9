#include "reports/render/markdown.h"

#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/outcome.h"

namespace holdfast::report {
namespace {

std::string md(std::string_view text) { return escape_markdown(text); }

// A code span that no back-tick in the text can end.
std::string code(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string plain;
  for (const char c : valid_utf8(text)) {
    run = c == '`' ? run + 1 : 0;
    longest = run > longest ? run : longest;
    plain += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  const std::string fence(longest + 1, '`');
  const char* pad = longest > 0 ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, pad, plain, pad, fence);
}

std::string table(const Report& report) {
  std::string out =
      "| | Scenario | World | Shows | Expectation | Verdict | Time |\n"
      "|---|---|---|---|---|---|---:|\n";
  for (const ScenarioResult& s : report.scenarios) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {:.1f} s |\n",
                       s.met ? "ok" : fmt::format("**{}**", mark(s)), md(s.name), md(s.world),
                       md(s.shows), md(s.expectation_text), md(whole_verdict(s)), s.seconds);
  }
  return out;
}

std::string violation(const ScenarioResult& scenario, const ViolationRun& run) {
  const Explanation& why = run.explanation;
  std::string out = fmt::format("### {} ({}, seed {})\n\n**{}**\n\n", md(scenario.name),
                                md(scenario.world), run.seed, md(why.sentence));
  out += fmt::format("- Invariant: {}: {}\n", code(judge::name(why.invariant)),
                     md(judge::one_line(why.invariant)));
  if (!why.blame_text.empty()) out += fmt::format("- Verdict: {}\n", md(why.blame_text));
  for (const Explanation::Also& also : why.also) {
    out += fmt::format("- Also {}: {}\n", code(judge::name(also.invariant)), md(also.sentence));
  }
  if (!run.reproduce.empty()) {
    const auto [label, note] = again(scenario, run);
    out += fmt::format("- {}: {}{}\n", capital(label), code(run.reproduce),
                       note.empty() ? "" : fmt::format(" ({})", note));
  }
  if (!run.html_path.empty()) out += fmt::format("- Page: {}\n", code(run.html_path));
  out += "\n";
  for (std::size_t i = 0; i < why.causes.size(); ++i) {
    out += fmt::format("{}. {}: {}\n", i + 1, seconds(why.causes[i].at), md(why.causes[i].text));
  }
  return out + "\n";
}

}  // namespace

std::string render_markdown(const Report& report) {
  bool any = false;
  for (const ScenarioResult& scenario : report.scenarios) {
    any = any || !scenario.violations.empty();
  }
  std::string out =
      fmt::format("# Holdfast report\n\n{}{}.{}\n\n", headline(report),
                  report.program_version.empty() ? std::string()
                                                 : " (holdfast " + md(report.program_version) + ")",
                  report.interrupted ? " " + interruption(report) : "");
  out += table(report);
  if (any) out += "\n## Violations\n\n";
  for (const ScenarioResult& scenario : report.scenarios) {
    for (const ViolationRun& run : scenario.violations) out += violation(scenario, run);
  }
  return out;
}

}  // namespace holdfast::report
