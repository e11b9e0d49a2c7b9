// Times in the judge's own sentences, which are read beside those of reports/explain_words.h.
#pragma once

#include <string>

#include "reports/history/event.h"

namespace holdfast::judge {

// To the millisecond: "5.210 s".
std::string instant_text(history::Nanos at);
// In whole seconds, rounded up: "3,608 s".
std::string span_text(history::Nanos length);

}  // namespace holdfast::judge
