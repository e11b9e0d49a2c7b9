// What every HTML page carries inside: its style sheet and the small script that filters the event
// table. The pages need nothing else and load nothing.
#pragma once

#include <string_view>

namespace holdfast::report {

std::string_view viewer_style();
std::string_view viewer_script();

}  // namespace holdfast::report
