// What an earlier report has left in a folder.
#pragma once

#include <set>
#include <string>

namespace holdfast::report {

// Names of the pages and histories that DIR/report.json lists, as write_reports() names them. Empty
// when there is no such file, or it is not a report: then nothing in DIR is known to be ours.
std::set<std::string> violation_files(const std::string& dir);

}  // namespace holdfast::report
