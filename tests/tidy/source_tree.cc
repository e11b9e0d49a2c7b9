#include "tests/tidy/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace holdfast::tidy {

namespace fs = std::filesystem;

std::vector<SourceFile> sources() {
  std::vector<SourceFile> files;
  const fs::path top(HOLDFAST_SOURCE_DIR);
  for (const char* room : {"lockcore", "sim", "reports", "scenarios", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top / room)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      SourceFile file{fs::relative(entry.path(), top).string(), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

namespace {

// A small scanner over one file: code, comments, literals, raw strings.
class Blanker {
 public:
  std::string line(const std::string& text) {
    std::string out = text;
    std::size_t at = 0;
    while (at < out.size()) at = step(text, out, at);
    if (state_ == State::line_comment) state_ = State::code;
    return out;
  }

 private:
  enum class State { code, line_comment, block_comment, raw_string };

  std::size_t step(const std::string& text, std::string& out, std::size_t at) {
    if (state_ == State::line_comment) return blank(out, at, text.size());
    if (state_ == State::block_comment) return until(text, out, at, "*/");
    if (state_ == State::raw_string) return until(text, out, at, raw_end_);
    if (text.compare(at, 2, "//") == 0) {
      state_ = State::line_comment;
      return at;
    }
    if (text.compare(at, 2, "/*") == 0) {
      state_ = State::block_comment;
      return blank(out, at, at + 2);
    }
    if (text.compare(at, 2, "R\"") == 0) {
      const auto open = text.find('(', at);
      raw_end_ = ")" + text.substr(at + 2, open - at - 2) + "\"";
      state_ = State::raw_string;
      return blank(out, at, open + 1);
    }
    if (text[at] == '"') return literal(text, out, at, '"');
    const bool digit_separator =
        at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    if (text[at] == '\'' && !digit_separator) return literal(text, out, at, '\'');
    return at + 1;
  }
  std::size_t until(const std::string& text, std::string& out, std::size_t at,
                    const std::string& end) {
    const auto found = text.find(end, at);
    if (found == std::string::npos) return blank(out, at, text.size());
    state_ = State::code;
    return blank(out, at, found + end.size());
  }
  static std::size_t literal(const std::string& text, std::string& out, std::size_t at,
                             char quote) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
    return blank(out, at + 1, std::min(end, text.size())) + 1;
  }
  static std::size_t blank(std::string& out, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < out.size(); ++i) out[i] = ' ';
    return to;
  }

  State state_ = State::code;
  std::string raw_end_;
};

}  // namespace

std::vector<std::string> code_only(const std::vector<std::string>& lines) {
  Blanker blanker;
  std::vector<std::string> out;
  for (const auto& line : lines) out.push_back(blanker.line(line));
  return out;
}

}  // namespace holdfast::tidy
