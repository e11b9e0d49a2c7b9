#include "reports/read/read_report.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "reports/explain.h"
#include "reports/read/history_json.h"
#include "reports/read/json_fields.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;

constexpr int kReportVersion = 1;

// An error that knows its place already: it lies in another file.
struct BadFile {
  ReportError error;
};

// Reports are written by this program: a field that is not there means a file of something else.
template <typename Value>
void take(const Json& object, const char* key, Value& to) {
  if (find_field(object, key) == nullptr) {
    throw BadLine("expected the field \"" + std::string(key) + "\"");
  }
  read_field(object, key, to);
}

const Json& objects(const Json& object, const char* key) {
  if (find_field(object, key) == nullptr) {
    throw BadLine("expected the field \"" + std::string(key) + "\"");
  }
  const Json& array = array_field(object, key);
  for (const Json& one : array) {
    if (!one.is_object()) throw BadLine("\"" + std::string(key) + "\" is not an array of objects");
  }
  return array;
}

// Calls `read` for each object of the array and says in which one something was wrong.
template <typename Read>
void for_each_object(const Json& object, const char* key, Read read) {
  const Json& array = objects(object, key);
  for (std::size_t i = 0; i < array.size(); ++i) {
    try {
      read(array[i]);
    } catch (const BadLine& bad) {
      throw BadLine(std::string(key) + "[" + std::to_string(i) + "]: " + bad.what());
    }
  }
}

InvariantCount read_count(const Json& json) {
  InvariantCount count;
  std::string name;
  take(json, "invariant", name);
  const std::size_t invariant = judge::find_invariant(name);
  if (invariant == judge::kInvariants) throw BadLine("unknown invariant \"" + name + "\"");
  count.invariant = static_cast<judge::Invariant>(invariant);
  take(json, "expected", count.expected);
  take(json, "met", count.met);
  take(json, "held", count.held);
  take(json, "violated", count.violated);
  take(json, "not_judged", count.not_judged);
  read_field(json, "why_not_judged", count.why_not_judged);
  if (find_field(json, "first_violated_seed") != nullptr) {
    read_field(json, "first_violated_seed", count.first_violated_seed.emplace());
  }
  return count;
}

KindCount read_kind(const Json& json) {
  KindCount count;
  std::string word;
  take(json, "kind", word);
  const auto blame = std::find_if(kBlamesByBadness.begin(), kBlamesByBadness.end(),
                                  [&](judge::Blame one) { return blame_word(one) == word; });
  if (blame == kBlamesByBadness.end()) throw BadLine("unknown kind \"" + word + "\"");
  count.blame = *blame;
  take(json, "runs", count.runs);
  take(json, "first_seed", count.first_seed);
  return count;
}

history::History read_history_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadFile{{path.string(), "expected the history of a violation here"}};
  auto result = read_history(file);
  if (const auto* error = std::get_if<HistoryError>(&result)) {
    throw BadFile{{path.string() + ":" + std::to_string(error->line), error->message}};
  }
  return std::move(std::get<history::History>(result));
}

ViolationRun read_violation(const Json& json, const fs::path& dir) {
  ViolationRun run;
  take(json, "seed", run.seed);
  take(json, "reproduce", run.reproduce);
  take(json, "rerun_identical", run.rerun_identical);
  take(json, "page", run.html_path);
  std::string history;
  take(json, "history", history);
  if (history.empty() || fs::path(history).filename() != history) {
    throw BadLine("\"history\" is not the name of a file in this folder");
  }
  run.history = read_history_file(dir / history);
  judge::Judge judge;
  run.judgement = judge.judge(run.history, {});
  // About the same invariant as before: a report says why its expectation was not met.
  std::string focus;
  const Json* explanation = find_field(json, "explanation");
  if (explanation != nullptr && explanation->is_object()) {
    read_field(*explanation, "invariant", focus);
  }
  const std::size_t invariant = judge::find_invariant(focus);
  run.explanation =
      invariant == judge::kInvariants
          ? explain(run.history, run.judgement)
          : explain(run.history, run.judgement, static_cast<judge::Invariant>(invariant));
  return run;
}

ScenarioResult read_scenario(const Json& json, const fs::path& dir) {
  ScenarioResult result;
  take(json, "name", result.name);
  take(json, "world", result.world);
  take(json, "shows", result.shows);
  take(json, "file", result.file);
  for (const Json& source : array_field(json, "source")) {
    if (!source.is_string()) throw BadLine("\"source\" is not an array of texts");
    result.source.push_back(source.get<std::string>());
  }
  take(json, "met", result.met);
  read_field(json, "interrupted", result.interrupted);
  take(json, "expectation", result.expectation_text);
  take(json, "verdict", result.verdict_text);
  take(json, "not_met_because", result.not_met_because);
  take(json, "vacuous_because", result.vacuous_because);
  take(json, "environment_failure", result.environment_failure);
  read_field(json, "second_attempt", result.second_attempt);
  take(json, "first_seed", result.first_seed);
  take(json, "runs", result.runs);
  take(json, "judged", result.judged);
  take(json, "vacuous", result.vacuous);
  take(json, "out_of_budget", result.out_of_budget);
  take(json, "environment_failures", result.environment_failures);
  take(json, "grants", result.grants);
  take(json, "contended_grants", result.contended_grants);
  take(json, "kernel_events", result.kernel_events);
  take(json, "seconds", result.seconds);
  take(json, "text", result.text);
  for_each_object(json, "invariants",
                  [&](const Json& one) { result.invariants.push_back(read_count(one)); });
  for_each_object(json, "kinds", [&](const Json& one) { result.kinds.push_back(read_kind(one)); });
  for_each_object(json, "violations", [&](const Json& one) {
    // Without a history: one that the disk had no room for.
    const Json* history = find_field(one, "history");
    const bool text = history != nullptr && history->is_string();
    if (text && history->get_ref<const std::string&>().empty()) return;
    result.violations.push_back(read_violation(one, dir));
  });
  return result;
}

Report read_whole(const Json& json, const fs::path& dir) {
  int version = 0;
  if (json.is_object()) read_field(json, "holdfast_report", version);
  if (version != kReportVersion) {
    throw BadLine("expected a report: an object with \"holdfast_report\": " +
                  std::to_string(kReportVersion));
  }
  Report report;
  take(json, "program_version", report.program_version);
  take(json, "interrupted", report.interrupted);
  read_field(json, "wanted", report.wanted);
  for_each_object(json, "scenarios",
                  [&](const Json& one) { report.scenarios.push_back(read_scenario(one, dir)); });
  return report;
}

// Line and column of the byte at which the parser gave up.
std::string located(const std::string& file, const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto stop = text.begin() + static_cast<std::ptrdiff_t>(end);
  const auto lines = std::count(text.begin(), stop, '\n');
  const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t column = before == std::string::npos ? end + 1 : end - before;
  return file + ":" + std::to_string(lines + 1) + ":" + std::to_string(column);
}

}  // namespace

std::variant<Report, ReportError> read_report(const std::string& dir) {
  std::error_code error;
  if (!fs::is_directory(dir, error)) return ReportError{dir, "expected the folder of a report"};
  const std::string path = (fs::path(dir) / "report.json").string();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return ReportError{path, "cannot be read (" + std::generic_category().message(errno) +
                                 "); expected the folder of a report, as holdfast run writes it"};
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    return read_whole(Json::parse(text), dir);
  } catch (const Json::parse_error& bad) {
    return ReportError{located(path, text, bad.byte), "not JSON"};
  } catch (const BadLine& bad) {
    return ReportError{path, bad.what()};
  } catch (const BadFile& bad) {
    return bad.error;
  }
}

}  // namespace holdfast::report
