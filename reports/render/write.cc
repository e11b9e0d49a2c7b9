#include "reports/render/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <vector>

#include "reports/read/history_json.h"
#include "reports/render/escape.h"
#include "reports/render/html.h"
#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/markdown.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;

// Files that are written under a temporary name; those that were not renamed are removed again.
class Staged {
 public:
  explicit Staged(fs::path dir) : dir_(std::move(dir)) {}
  ~Staged() {
    std::error_code ignored;
    for (const std::string& name : names_) fs::remove(temporary(name), ignored);
  }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;

  std::optional<std::string> write(const std::string& name, const std::string& contents) {
    names_.push_back(name);
    errno = 0;
    std::ofstream file(temporary(name), std::ios::binary | std::ios::trunc);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
    if (!file) return problem("write", name, errno);
    return std::nullopt;
  }

  // In the order of writing: the index comes last, so that it never points to what is not there.
  std::optional<std::string> rename_all() {
    std::error_code error;
    for (const std::string& name : names_) {
      if (fs::is_directory(dir_ / name, error)) return problem("replace", name, EISDIR);
    }
    for (const std::string& name : names_) {
      fs::rename(temporary(name), dir_ / name, error);
      if (error) return problem("rename", name, error.value());
    }
    return std::nullopt;
  }

 private:
  fs::path temporary(const std::string& name) const { return dir_ / ("." + name + ".part"); }

  std::string problem(std::string_view what, const std::string& name, int code) const {
    return fmt::format("cannot {} {}: {}", what, (dir_ / name).string(),
                       code == 0 ? "the write failed" : std::generic_category().message(code));
  }

  fs::path dir_;
  std::vector<std::string> names_;
};

// A name that no other page of this report has.
std::string page_name(const ScenarioResult& scenario, const ViolationRun& run,
                      const std::vector<std::string>& taken) {
  const std::string stem =
      file_name(fmt::format("{}-{}-seed-{}", scenario.name, scenario.world, run.seed));
  std::string name = stem + ".html";
  for (int copy = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++copy) {
    name = fmt::format("{}-{}.html", stem, copy);
  }
  return name;
}

std::string scenario_text(const ScenarioResult& scenario) {
  if (!scenario.text.empty() || scenario.file.empty()) return scenario.text;
  std::ifstream file(scenario.file, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string history_lines(const ViolationRun& run) {
  std::ostringstream out;
  write_history(out, run.history);
  return std::move(out).str();
}

}  // namespace

std::string history_file(const ViolationRun& run) {
  if (run.html_path.empty()) return {};
  return fs::path(run.html_path).stem().string() + ".history.jsonl";
}

std::optional<std::string> write_reports(Report& report, const std::string& dir) {
  std::error_code error;
  fs::create_directories(dir, error);
  if (error || !fs::is_directory(dir, error)) {
    return fmt::format("cannot make the folder {}: {}", dir,
                       error ? error.message() : "something else has this name");
  }
  std::vector<std::string> taken = {"index.html"};
  for (ScenarioResult& scenario : report.scenarios) {
    for (ViolationRun& run : scenario.violations) {
      taken.push_back(page_name(scenario, run, taken));
      run.html_path = (fs::path(dir) / taken.back()).string();
    }
  }
  Staged files(dir);
  std::optional<std::string> problem;
  for (const ScenarioResult& scenario : report.scenarios) {
    const std::string text = scenario.violations.empty() ? "" : scenario_text(scenario);
    for (const ViolationRun& run : scenario.violations) {
      const std::string name = fs::path(run.html_path).filename().string();
      if (!problem) problem = files.write(name, render_html(scenario, run, text));
      if (!problem) problem = files.write(history_file(run), history_lines(run));
    }
  }
  if (!problem) problem = files.write("report.json", render_json(report));
  if (!problem) problem = files.write("junit.xml", render_junit(report));
  if (!problem) problem = files.write("report.md", render_markdown(report));
  if (!problem) problem = files.write("index.html", render_index(report));
  if (!problem) problem = files.rename_all();
  if (!problem) return std::nullopt;
  // No page was written: nothing may point to one.
  for (ScenarioResult& scenario : report.scenarios) {
    for (ViolationRun& run : scenario.violations) run.html_path.clear();
  }
  return problem;
}

}  // namespace holdfast::report
