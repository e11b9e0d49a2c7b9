// Escaping for the formats that reports are written in. Names come from scenario files and servers:
// nothing of them may act as markup. Bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::report {

// For text and double- or single-quoted attributes of HTML and XML; characters that XML 1.0 does
// not allow (most controls) become U+FFFD.
std::string escape_markup(std::string_view text);
// For one cell of a Markdown table or running text: no markup, no line break.
std::string escape_markdown(std::string_view text);
// For terminals: control characters (escape sequences, line breaks) become "?".
std::string escape_terminal(std::string_view text);
// For file names: letters, digits, '.', '_' and '-' stay, everything else becomes '-'; never empty,
// never beginning with a dot, at most 200 bytes.
std::string file_name(std::string_view text);
// Valid UTF-8, with U+FFFD in place of every byte that is not part of it.
std::string valid_utf8(std::string_view text);
// Characters, not bytes, of valid UTF-8.
std::size_t width(std::string_view text);

}  // namespace holdfast::report
