// Writing a report's files.
#pragma once

#include <optional>
#include <string>

#include "reports/report.h"

namespace holdfast::report {

// Writes DIR/index.html, a page DIR/<scenario>-<world>-seed-<n>.html for each violating run,
// its whole history beside it (history_file), report.json, junit.xml and report.md, and fills each
// ViolationRun::html_path. DIR is made when it is not there. read_report() reads all of it back.
//
// Either all files are there and complete, or the error is returned as text and none of them was
// touched: each is written under a temporary name and checked before the first is renamed.
std::optional<std::string> write_reports(Report& report, const std::string& dir);

// The name of the file that holds the run's history in the folder of its page: "x.history.jsonl"
// for "x.html". Empty when no page was written.
std::string history_file(const ViolationRun& run);

}  // namespace holdfast::report
