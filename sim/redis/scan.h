// What SCAN, HSCAN, SSCAN and ZSCAN share. A walk goes from the newest item to the oldest; its
// cursor is the number of the next item to look at. So what is there all the time is shown exactly
// once, what comes meanwhile is never shown, and every walk ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/member_table.h"

namespace holdfast::sim::redis {

struct ScanOptions {
  std::uint64_t cursor = 0;
  std::int64_t count = 10;
  std::string_view pattern = {};
  bool has_pattern = false;
  std::string_view type = {};  // SCAN only
  bool has_type = false;

  bool takes(std::string_view name) const;
};

// The cursor; false after an error answer.
bool read_cursor(Execution& run, std::size_t index, std::uint64_t& cursor);
// MATCH, COUNT and, for SCAN, TYPE from index `first` on; false after an error answer.
bool read_scan_options(Execution& run, std::size_t first, bool is_keys, ScanOptions& options);
// Answers [cursor, []] and returns the inner array.
Reply& answer_scan(Execution& run);
void set_next_cursor(Execution& run, std::uint64_t cursor);

// Looks at `count` items of a row whose numbers grow, below the cursor: visit(place) says whether
// there was one. Returns the next cursor, 0 at the end.
template <class NumberAt, class Visit>
std::uint64_t walk_down(std::size_t places, const ScanOptions& options, NumberAt number_at,
                        Visit visit) {
  std::size_t end = places;
  if (options.cursor != 0) {
    std::size_t low = 0;
    while (low < end) {
      const std::size_t middle = low + (end - low) / 2;
      number_at(middle) <= options.cursor ? low = middle + 1 : end = middle;
    }
  }
  for (std::int64_t left = options.count; end > 0 && left > 0; --end) {
    if (visit(end - 1)) --left;
  }
  return end == 0 ? 0 : number_at(end - 1);
}

// HSCAN, SSCAN and ZSCAN of a table in its large form.
template <class T, class Use>
std::uint64_t walk_members(const MemberTable<T>& table, const ScanOptions& options, Use use) {
  return walk_down(
      table.places(), options, [&](std::size_t place) { return table[place].number; },
      [&](std::size_t place) {
        if (!table[place].here) return false;
        if (options.takes(table[place].name)) use(table[place]);
        return true;
      });
}

}  // namespace holdfast::sim::redis
