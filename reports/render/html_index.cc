// The index: the table of all scenarios with links to the pages of their violations.
#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/html.h"
#include "reports/render/html_parts.h"
#include "reports/render/outcome.h"

namespace holdfast::report {
namespace {

// As a relative link: the name alone, percent-encoded where a URL needs it.
std::string link_to(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  std::string link;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-';
    link += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

std::string violations(const ScenarioResult& scenario) {
  std::string out;
  for (const ViolationRun& run : scenario.violations) {
    if (run.html_path.empty()) continue;
    out += fmt::format("<div><a href=\"{}\">seed {}</a>: {}</div>", link_to(run.html_path),
                       run.seed, escape_markup(run.explanation.sentence));
  }
  return out;
}

// How often each invariant was held, violated and not judged.
std::string invariants(const ScenarioResult& scenario) {
  if (scenario.invariants.empty()) return "";
  std::string out = "<details><summary>invariants</summary>";
  for (const InvariantCount& count : scenario.invariants) {
    std::string states = fmt::format("held in {}", grouped(count.held));
    if (count.violated > 0) states += fmt::format(", violated in {}", grouped(count.violated));
    if (count.first_violated_seed) states += fmt::format(" (seed {})", *count.first_violated_seed);
    if (count.not_judged > 0) {
      states += fmt::format(", not judged in {} ({})", grouped(count.not_judged),
                            escape_markup(count.why_not_judged));
    }
    out += fmt::format("<div{}>{}: {}</div>", count.met ? "" : " class=\"bad\"",
                       judge::name(count.invariant), states);
  }
  return out + "</details>";
}

std::string row(const ScenarioResult& scenario) {
  std::string verdict = escape_markup(scenario.verdict_text);
  if (!scenario.environment_failure.empty()) {
    verdict +=
        fmt::format("<div class=\"bad\">{}</div>", escape_markup(scenario.environment_failure));
  }
  if (!scenario.met && !scenario.not_met_because.empty()) {
    verdict += fmt::format("<div class=\"bad\">{}</div>", escape_markup(scenario.not_met_because));
  }
  if (!scenario.second_attempt.empty()) {
    verdict += fmt::format("<div>second attempt: the first ended with: {}</div>",
                           escape_markup(scenario.second_attempt));
  }
  return fmt::format(
      "<tr><td "
      "class=\"mark\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}{}</td><td "
      "class=\"number\">{:.1f} s</td></tr>\n",
      scenario.met ? "ok" : fmt::format("<span class=\"bad\">{}</span>", mark(scenario)),
      escape_markup(scenario.name), escape_markup(scenario.world), escape_markup(scenario.shows),
      escape_markup(scenario.expectation_text), verdict, violations(scenario), invariants(scenario),
      scenario.seconds);
}

}  // namespace

std::string render_index(const Report& report) {
  std::string body = fmt::format("<main>\n<p class=\"over\">holdfast {}</p>\n<h1>{}</h1>\n",
                                 escape_markup(report.program_version), headline(report));
  if (report.interrupted) {
    body += fmt::format("<p class=\"bad\">{}</p>\n", interruption(report));
  }
  body +=
      "<div class=\"table\"><table>\n<thead><tr><th></th><th>scenario</th><th>world</th>"
      "<th>shows</th><th>expectation</th><th>verdict and violations</th><th "
      "class=\"number\">time</th></tr></thead>\n<tbody>\n";
  for (const ScenarioResult& scenario : report.scenarios) body += row(scenario);
  body +=
      "</tbody></table></div>\n<p>The same for programs: <a href=\"report.json\">report.json</a>, "
      "<a href=\"junit.xml\">junit.xml</a>, <a href=\"report.md\">report.md</a>.</p>\n</main>\n";
  return html_page("Holdfast report", body, false);
}

}  // namespace holdfast::report
