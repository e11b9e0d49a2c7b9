// Reading the report of a finished run back from its folder, to render it again.
#pragma once

#include <string>
#include <variant>

#include "reports/report.h"

namespace holdfast::report {

struct ReportError {
  std::string place;    // the file, with the line where there is one
  std::string message;  // what is wrong there, or what was expected
  std::string text() const { return place + ": " + message; }
};

// The report in DIR as write_reports() left it: counts and texts from DIR/report.json, each
// violation's history from its own file, judged and explained anew. Rendered again into DIR it
// gives the same files, byte for byte, as long as judge and renderers are the same.
std::variant<Report, ReportError> read_report(const std::string& dir);

}  // namespace holdfast::report
