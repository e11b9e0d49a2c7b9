#include "reports/render/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "reports/read/history_json.h"
#include "reports/read/violation_files.h"
#include "reports/render/escape.h"
#include "reports/render/html.h"
#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/markdown.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) {
  return code == 0 ? "the write failed" : std::generic_category().message(code);
}

std::string contents_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The files of one report. Each is written under a temporary name and then renamed: whole or not at
// all. One that fails does not keep the others from being written; the first problem is told.
class Files {
 public:
  explicit Files(fs::path dir) : dir_(std::move(dir)) {}

  bool write(const std::string& name, const std::string& contents) {
    const fs::path part = dir_ / ("." + name + ".part");
    // A report rendered again into its own folder does not touch its sources.
    if (contents_of(dir_ / name) == contents) return true;
    errno = 0;
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
    std::error_code error;
    if (!file) {
      fail("write", name, errno);
    } else if (fs::is_directory(dir_ / name, error)) {
      fail("replace", name, EISDIR);
    } else {
      fs::rename(part, dir_ / name, error);
      if (!error) return true;
      fail("rename", name, error.value());
    }
    fs::remove(part, error);
    return false;
  }

  void remove(const std::string& name) {
    std::error_code error;
    if (fs::is_directory(dir_ / name, error)) return;
    fs::remove(dir_ / name, error);
    if (error) fail("remove", name, error.value());
  }

  const std::optional<std::string>& problem() const { return problem_; }

 private:
  void fail(std::string_view what, const std::string& name, int code) {
    if (!problem_) {
      problem_ = fmt::format("cannot {} {}: {}", what, (dir_ / name).string(), reason(code));
    }
  }

  fs::path dir_;
  std::optional<std::string> problem_;
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
  return contents_of(scenario.file);
}

std::string history_lines(const ViolationRun& run) {
  std::ostringstream out;
  write_history(out, run.history);
  return std::move(out).str();
}

// What the whole run is told by.
struct Overview {
  const char* name;
  std::string (*render)(const Report&);
};
constexpr std::array<Overview, 4> kOverviews{{{"report.json", render_json},
                                              {"junit.xml", render_junit},
                                              {"report.md", render_markdown},
                                              {"index.html", render_index}}};

void write_overviews(const Report& report, Files& files) {
  for (const Overview& one : kOverviews) files.write(one.name, one.render(report));
}

// A page and its history are there together or not at all.
bool write_violation(const ScenarioResult& scenario, const ViolationRun& run, Files& files) {
  const std::string page = fs::path(run.html_path).filename().string();
  const std::string history = history_file(run);
  if (!files.write(history, history_lines(run))) return false;
  if (files.write(page, render_html(scenario, run, scenario_text(scenario)))) return true;
  files.remove(history);
  return false;
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
  report.index_path = (fs::path(dir) / taken.front()).string();
  std::set<std::string> stale = violation_files(dir);
  for (ScenarioResult& scenario : report.scenarios) {
    for (ViolationRun& run : scenario.violations) {
      taken.push_back(page_name(scenario, run, taken));
      run.html_path = (fs::path(dir) / taken.back()).string();
      stale.erase(taken.back());
      stale.erase(history_file(run));
    }
  }
  Files files(dir);
  for (const std::string& name : stale) files.remove(name);
  write_overviews(report, files);
  bool all_there = true;
  for (ScenarioResult& scenario : report.scenarios) {
    for (ViolationRun& run : scenario.violations) {
      if (write_violation(scenario, run, files)) continue;
      run.html_path.clear();
      all_there = false;
    }
  }
  if (all_there) return files.problem();
  // Nothing may point to a page that is not there. On a full disk only the first ones' own room is
  // left for the second ones.
  for (const Overview& one : kOverviews) files.remove(one.name);
  write_overviews(report, files);
  return files.problem();
}

}  // namespace holdfast::report
