#include "reports/render/junit.h"

#include <fmt/format.h>

#include <vector>

#include "reports/explain.h"
#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/outcome.h"

namespace holdfast::report {
namespace {

bool is_error(const ScenarioResult& scenario) {
  return scenario.interrupted || (!scenario.met && !scenario.environment_failure.empty());
}

bool is_failure(const ScenarioResult& scenario) { return !scenario.met && !is_error(scenario); }

std::string_view error_type(const ScenarioResult& scenario) {
  if (scenario.interrupted) return "interrupted";
  return is_error(scenario) ? "environment" : "expectation";
}

std::string message(const ScenarioResult& scenario) {
  if (scenario.interrupted) return "interrupted";
  if (is_error(scenario)) return scenario.environment_failure;
  if (!scenario.not_met_because.empty()) return scenario.not_met_because;
  if (!scenario.vacuous_because.empty()) return "vacuous: " + scenario.vacuous_because;
  return scenario.verdict_text;
}

// Everything that a reader of a build log needs, as plain text.
std::string details(const ScenarioResult& scenario) {
  std::string text =
      fmt::format("expected: {}\nverdict: {}\n", scenario.expectation_text, scenario.verdict_text);
  if (!scenario.second_attempt.empty()) {
    text += fmt::format("second attempt: the first ended with: {}\n", scenario.second_attempt);
  }
  for (const KindCount& kind : scenario.kinds) {
    text += fmt::format("{} in {} runs (seed {}): {}\n", blame_word(kind.blame), grouped(kind.runs),
                        kind.first_seed, blame_text(kind.blame));
  }
  for (const InvariantCount& count : scenario.invariants) {
    if (!count.first_violated_seed) continue;
    text += fmt::format("{}: violated in {} runs (seed {}), expected {}\n",
                        judge::name(count.invariant), grouped(count.violated),
                        *count.first_violated_seed, count.expected);
  }
  for (const ViolationRun& run : scenario.violations) {
    text += fmt::format("\nseed {}: {}\n", run.seed, run.explanation.sentence);
    if (!run.explanation.blame_text.empty()) text += run.explanation.blame_text + "\n";
    for (const Explanation::Also& also : run.explanation.also) {
      text += fmt::format("also {}: {}\n", judge::name(also.invariant), also.sentence);
    }
    for (std::size_t i = 0; i < run.explanation.causes.size(); ++i) {
      const Cause& cause = run.explanation.causes[i];
      text += fmt::format("  {}. {}: {}\n", i + 1, seconds(cause.at), cause.text);
    }
    if (!run.reproduce.empty())
      text += fmt::format("{}: {}\n", again(scenario, run).label, run.reproduce);
    if (!run.html_path.empty()) text += fmt::format("page: {}\n", run.html_path);
  }
  return text;
}

std::string test_case(const ScenarioResult& scenario) {
  std::string out = fmt::format(
      "    <testcase name=\"{}\" classname=\"holdfast.{}\" file=\"{}\" time=\"{:.3f}\">\n",
      escape_markup(scenario.name), escape_markup(scenario.world), escape_markup(scenario.file),
      scenario.seconds);
  const char* tag = is_error(scenario) ? "error" : (is_failure(scenario) ? "failure" : nullptr);
  if (tag != nullptr) {
    out += fmt::format("      <{} message=\"{}\" type=\"{}\">{}</{}>\n", tag,
                       escape_markup(message(scenario)), error_type(scenario),
                       escape_markup(details(scenario)), tag);
  } else {
    out += fmt::format("      <system-out>{}</system-out>\n", escape_markup(details(scenario)));
  }
  return out + "    </testcase>\n";
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;
  void add(const ScenarioResult& scenario) {
    ++tests;
    failures += is_failure(scenario) ? 1 : 0;
    errors += is_error(scenario) ? 1 : 0;
    seconds += scenario.seconds;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"",
                       tests, failures, errors, seconds);
  }
};

}  // namespace

std::string render_junit(const Report& report) {
  std::vector<std::string> worlds;
  Counts all;
  for (const ScenarioResult& scenario : report.scenarios) {
    all.add(scenario);
    bool known = false;
    for (const std::string& world : worlds) known = known || world == scenario.world;
    if (!known) worlds.push_back(scenario.world);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"holdfast\" {}>\n", all.attributes());
  for (const std::string& world : worlds) {
    Counts counts;
    std::string cases;
    for (const ScenarioResult& scenario : report.scenarios) {
      if (scenario.world != world) continue;
      counts.add(scenario);
      cases += test_case(scenario);
    }
    out += fmt::format("  <testsuite name=\"holdfast.{}\" {}>\n{}  </testsuite>\n",
                       escape_markup(world), counts.attributes(), cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace holdfast::report
