#include "reports/render/wrap.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/render/escape.h"

namespace holdfast::report {
namespace {

// The first `count` characters.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    --count;
  }
  return text.substr(0, at);
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!line.empty() && width(line) + 1 + width(word) > columns) {
      lines.push_back(line);
      line.clear();
    }
    while (width(word) > columns) {
      std::string_view part = head(word, columns);
      const std::size_t seam = part.find_last_of("-/");
      if (seam != std::string_view::npos) part = part.substr(0, seam + 1);
      lines.emplace_back(part);
      word.remove_prefix(part.size());
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string padded(std::string_view text, std::size_t columns) {
  std::string out(text);
  const std::size_t used = width(text);
  if (used < columns) out.append(columns - used, ' ');
  return out;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  return std::string(head(text, columns - 1)) + "\xE2\x80\xA6";
}

std::string painted(const std::string& text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace holdfast::report
