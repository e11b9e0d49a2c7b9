#include "scenarios/format/duration.h"

#include <array>
#include <cstdint>

namespace holdfast::scenario {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
constexpr std::array<Unit, 6> kUnits{{{"h", 3'600'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"s", 1'000'000'000},
                                      {"ms", 1'000'000},
                                      {"us", 1'000},
                                      {"ns", 1}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// The digits at the front of `text`, taken off it.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

std::string with_unit(Duration duration, std::string_view gap) {
  const std::int64_t nanos = duration.count();
  const std::int64_t size = nanos < 0 ? -nanos : nanos;
  // Minutes and hours only for people who wrote them whole; seconds are what logs speak.
  constexpr std::size_t kFirst = 2;
  std::size_t chosen = kUnits.size() - 1;
  for (std::size_t i = kFirst; i < kUnits.size(); ++i) {
    const std::int64_t thousandth = kUnits[i].nanos / 1000;
    if (size >= kUnits[i].nanos && (thousandth == 0 || size % thousandth == 0)) {
      chosen = i;
      break;
    }
  }
  if (size == 0) chosen = kFirst;
  const Unit& unit = kUnits[chosen];
  std::string text = (nanos < 0 ? "-" : "") + std::to_string(size / unit.nanos);
  if (const std::int64_t rest = size % unit.nanos; rest != 0) {
    std::string decimals = std::to_string(1000 + rest / (unit.nanos / 1000)).substr(1);
    while (decimals.back() == '0') decimals.pop_back();
    text += '.' + decimals;
  }
  return text.append(gap).append(unit.name);
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const std::string_view whole = take_digits(text);
  std::string_view decimals;
  if (!whole.empty() && text.starts_with('.')) {
    text.remove_prefix(1);
    decimals = take_digits(text);
    if (decimals.empty()) return std::nullopt;
  }
  const Unit* unit = find_unit(text);
  if (whole.empty() || unit == nullptr) return std::nullopt;

  std::int64_t nanos = 0;
  for (const char digit : whole) {
    nanos = nanos * 10 + (digit - '0');
    if (nanos > kLongestDuration.count() / unit->nanos) return std::nullopt;
  }
  nanos *= unit->nanos;
  std::int64_t place = unit->nanos;
  for (const char digit : decimals) {
    // A digit below one nanosecond cannot be kept; a minute's third decimal is 60 ms and can.
    if (place % 10 != 0) return std::nullopt;
    place /= 10;
    nanos += (digit - '0') * place;
  }
  if (nanos > kLongestDuration.count()) return std::nullopt;
  return Duration(negative ? -nanos : nanos);
}

std::string plain_words(Duration duration) { return with_unit(duration, " "); }

std::string short_form(Duration duration) { return with_unit(duration, ""); }

}  // namespace holdfast::scenario
