// Reports as HTML: one self-contained page a violation, and an index of all scenarios. Pages load
// nothing, and show everything but the table's filter without their script.
#pragma once

#include <string>
#include <string_view>

#include "reports/report.h"

namespace holdfast::report {

// `scenario_text`: the scenario file as read, shown at the end; may be empty.
std::string render_html(const ScenarioResult& scenario, const ViolationRun& run,
                        std::string_view scenario_text);

// Links to the pages by the file name in each ViolationRun::html_path.
std::string render_index(const Report& report);

}  // namespace holdfast::report
