// Breaking text into lines, lining up columns, colouring.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::report {

// Lines of at most `columns` characters, broken at spaces; a longer word is cut, behind a '-'
// or '/' when it has one. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);
// Filled with spaces up to `columns` characters.
std::string padded(std::string_view text, std::size_t columns);
// At most `columns` characters, the last one "…" when something was cut off.
std::string shortened(std::string_view text, std::size_t columns);
// `text`, in the colour with this ANSI code when `colour`.
std::string painted(const std::string& text, std::string_view code, bool colour);

}  // namespace holdfast::report
