#include "reports/render/outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::report {

std::string_view mark(const ScenarioResult& scenario) {
  if (scenario.interrupted) return "stopped";
  return scenario.met ? "ok" : "NOT MET";
}

std::string whole_verdict(const ScenarioResult& scenario) {
  std::string text = scenario.verdict_text;
  if (!scenario.environment_failure.empty()) {
    text += (text.empty() ? "" : "; ") + scenario.environment_failure;
  } else if (!scenario.met && !scenario.not_met_because.empty()) {
    text += (text.empty() ? "" : ": ") + scenario.not_met_because;
  }
  if (!scenario.second_attempt.empty()) {
    text += "; second attempt: the first ended with: " + scenario.second_attempt;
  }
  return text;
}

std::string headline(const Report& report) {
  std::size_t met = 0;
  std::size_t all = 0;
  for (const ScenarioResult& scenario : report.scenarios) {
    met += scenario.met ? 1 : 0;
    all += scenario.interrupted ? 0 : 1;
  }
  return fmt::format("{} of {} expectations met", met, all);
}

std::string interruption(const Report& report) {
  if (!report.interrupted) return "";
  const auto run = std::count_if(report.scenarios.begin(), report.scenarios.end(),
                                 [](const ScenarioResult& one) { return !one.interrupted; });
  return fmt::format("Interrupted: {} of {} scenario{} run.", run, report.wanted,
                     report.wanted == 1 ? "" : "s");
}

Again again(const ScenarioResult& scenario, const ViolationRun& run) {
  if (scenario.world != "sim") {
    return {"run again", "another real execution: it may end otherwise"};
  }
  return {"reproduce", run.rerun_identical ? "run again: the same fingerprint" : ""};
}

std::string capital(std::string_view words) {
  std::string text(words);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

}  // namespace holdfast::report
