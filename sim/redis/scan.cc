#include "sim/redis/scan.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include "sim/redis/glob.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

bool ScanOptions::takes(std::string_view name) const {
  return !has_pattern || matches_glob(pattern, name);
}

bool read_cursor(Execution& run, std::size_t index, std::uint64_t& cursor) {
  const std::string text(run[index]);
  const bool blank = !text.empty() && ((text[0] >= '\t' && text[0] <= '\r') || text[0] == ' ');
  char* end = nullptr;
  errno = 0;
  cursor = std::strtoull(text.c_str(), &end, 10);
  if (!blank && *end == '\0' && errno != ERANGE) return true;
  run.error("ERR invalid cursor");
  return false;
}

bool read_scan_options(Execution& run, std::size_t first, bool is_keys, ScanOptions& options) {
  for (std::size_t i = first; i < run.size(); i += 2) {
    const bool has_value = i + 1 < run.size();
    if (has_value && same_word(run[i], "count")) {
      if (!run.integer(i + 1, options.count)) return false;
      if (options.count >= 1) continue;
    } else if (has_value && same_word(run[i], "match")) {
      options.pattern = run[i + 1];
      options.has_pattern = true;
      continue;
    } else if (has_value && is_keys && same_word(run[i], "type")) {
      options.type = run[i + 1];
      options.has_type = true;
      continue;
    }
    run.syntax_error();
    return false;
  }
  return true;
}

Reply& answer_scan(Execution& run) {
  run.array();
  run.element("0");
  run.reply.elements.push_back(Reply::array({}));
  return run.reply.elements.back();
}

void set_next_cursor(Execution& run, std::uint64_t cursor) {
  run.reply.elements.front().text = std::to_string(cursor);
}

}  // namespace holdfast::sim::redis
