// Taking from and adding to the ends of lists, as several commands do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

enum class End : std::uint8_t { head, tail };

inline std::int64_t list_length(const Entry* entry) {
  return entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.list.size());
}

// LEFT or RIGHT; false after an error answer.
inline bool read_end(Execution& run, std::size_t index, End& end) {
  const bool left = same_word(run[index], "left");
  end = left ? End::head : End::tail;
  if (left || same_word(run[index], "right")) return true;
  run.syntax_error();
  return false;
}

inline void push_item(Execution& run, Entry& entry, End end, std::string_view item) {
  end == End::tail ? entry.value.list.push_back(item) : entry.value.list.push_front(item);
  run.data.appended(entry, item);
}
inline const std::string& end_item(const Entry& entry, End end) {
  const StringList& list = entry.value.list;
  return end == End::tail ? list[list.size() - 1] : list[0];
}
inline void drop_end(Entry& entry, End end) {
  end == End::tail ? entry.value.list.pop_back() : entry.value.list.pop_front();
}

// The names of the keyspace events.
inline std::string_view push_event(End end) { return end == End::tail ? "rpush" : "lpush"; }
inline std::string_view pop_event(End end) { return end == End::tail ? "rpop" : "lpop"; }

}  // namespace holdfast::sim::redis
