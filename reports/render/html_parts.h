// Parts of a violation's page below the picture, and what both kinds of pages share.
#pragma once

#include <string>
#include <string_view>

#include "reports/explain_record.h"
#include "reports/report.h"

namespace holdfast::report {

// A complete page around `body`; `title` is escaped here.
std::string html_page(std::string_view title, const std::string& body, bool with_script);

// All events, one row each with the anchor "e<index>"; rows of the causes are marked.
std::string html_events(const Record& record, const Explanation& explanation);
// Who had the lock, by token: on which servers from when to when, and how that ended.
std::string html_lock_history(const Record& record);
// Every invariant of the run: held, violated, not judged and why.
std::string html_findings(const judge::Judgement& judgement);
// Locks, servers with their clocks at the violation, clients, faults.
std::string html_setup(const Record& record, const ViolationRun& run);

}  // namespace holdfast::report
