// The report as Markdown, for merge requests and wikis.
#pragma once

#include <string>

#include "reports/report.h"

namespace holdfast::report {

std::string render_markdown(const Report& report);

}  // namespace holdfast::report
