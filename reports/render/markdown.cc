#include "reports/render/markdown.h"

#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/render/escape.h"

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
    std::string verdict = md(s.verdict_text);
    if (!s.environment_failure.empty()) verdict += "; " + md(s.environment_failure);
    if (!s.met && !s.not_met_because.empty()) verdict += ": " + md(s.not_met_because);
    if (!s.second_attempt.empty()) {
      verdict += "; second attempt: the first ended with: " + md(s.second_attempt);
    }
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {:.1f} s |\n", s.met ? "ok" : "**not met**",
                       md(s.name), md(s.world), md(s.shows), md(s.expectation_text), verdict,
                       s.seconds);
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
    out += fmt::format("- Reproduce: {}{}\n", code(run.reproduce),
                       run.rerun_identical ? " (run again: the same fingerprint)" : "");
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
  std::size_t met = 0;
  bool any = false;
  for (const ScenarioResult& scenario : report.scenarios) {
    met += scenario.met ? 1 : 0;
    any = any || !scenario.violations.empty();
  }
  std::string out = fmt::format(
      "# Holdfast report\n\n{} of {} expectations met{}.{}\n\n", met, report.scenarios.size(),
      report.program_version.empty() ? std::string()
                                     : " (holdfast " + md(report.program_version) + ")",
      report.interrupted ? " Interrupted: only what was done is shown." : "");
  out += table(report);
  if (any) out += "\n## Violations\n\n";
  for (const ScenarioResult& scenario : report.scenarios) {
    for (const ViolationRun& run : scenario.violations) out += violation(scenario, run);
  }
  return out;
}

}  // namespace holdfast::report
