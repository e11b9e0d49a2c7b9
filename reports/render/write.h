// Writing a report's files.
#pragma once

#include <optional>
#include <string>

#include "reports/report.h"

namespace holdfast::report {

// Writes DIR/index.html, a page DIR/<scenario>-<world>-seed-<n>.html for each violating run,
// its whole history beside it (history_file), report.json, junit.xml and report.md, and fills each
// ViolationRun::html_path and Report::index_path. DIR is made when it is not there; pages and
// histories of an earlier report in it are removed (violation_files), all else is left alone.
// read_report() reads all of it back.
//
// Each file is there whole or not at all. When one cannot be written (a full disk), the others are
// still tried, report.json and junit.xml first, and the first problem is returned as text; a
// violation whose page did not fit has no html_path.
std::optional<std::string> write_reports(Report& report, const std::string& dir);

// The name of the file that holds the run's history in the folder of its page: "x.history.jsonl"
// for "x.html". Empty when no page was written.
std::string history_file(const ViolationRun& run);

}  // namespace holdfast::report
