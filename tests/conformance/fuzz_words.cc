#include "tests/conformance/fuzz_words.h"

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast::conformance {
namespace {

using Values = std::span<const std::string_view>;
using namespace std::string_view_literals;

constexpr std::array kValues{""sv,      "a"sv,        "b"sv,   "A"sv,
                             "hello"sv, "10"sv,       "-3"sv,  "3.5"sv,
                             "007"sv,   "\x00\xff"sv, "a b"sv, "9223372036854775807"sv,
                             "1"sv,     "token"sv};
constexpr std::array kIntegers{"0"sv,
                               "1"sv,
                               "-1"sv,
                               "2"sv,
                               "3"sv,
                               "10"sv,
                               "100"sv,
                               "-7"sv,
                               "x"sv,
                               "1.5"sv,
                               "+5"sv,
                               " 5"sv,
                               ""sv,
                               "05"sv,
                               "9223372036854775807"sv,
                               "-9223372036854775808"sv,
                               "9223372036854775808"sv,
                               "-0"sv,
                               "1"sv,
                               "2"sv};
constexpr std::array kFloats{"1"sv,   "1.5"sv, "-0.1"sv, "3.0e3"sv, "inf"sv, "nan"sv, "x"sv,
                             "0.1"sv, "5.0"sv, "-2"sv,   "1e400"sv, "10"sv,  " 1"sv,  ""sv};
constexpr std::array kMilliseconds{
    "1"sv,   "10"sv, "100"sv, "1000"sv, "5000"sv, "100000"sv, "1500"sv,
    "499"sv, "0"sv,  "-1"sv,  "x"sv,    "100"sv,  "500"sv,    "9223372036854775807"sv};
constexpr std::array kSeconds{
    "1"sv, "2"sv, "10"sv, "100"sv, "5"sv, "0"sv, "-1"sv, "x"sv, "9223372036854775"sv};
constexpr std::array kWallMilliseconds{"1700000000000"sv,
                                       "1700000000001"sv,
                                       "1700000000050"sv,
                                       "1700000001000"sv,
                                       "1700000100000"sv,
                                       "1699999999999"sv,
                                       "1"sv,
                                       "0"sv,
                                       "-1"sv};
constexpr std::array kWallSeconds{"1700000000"sv, "1700000001"sv, "1700000100"sv,
                                  "1699999999"sv, "1"sv,          "0"sv};
constexpr std::array kFields{"f1"sv, "f2"sv, "f3"sv, ""sv, "F1"sv, "10"sv};
constexpr std::array kMembers{"m1"sv, "m2"sv, "m3"sv, "1"sv, "2"sv, "-5"sv, ""sv, "zz"sv};
constexpr std::array kScores{"1"sv,    "2"sv,   "3"sv, "-1.5"sv,  "0"sv,   "inf"sv,
                             "-inf"sv, "nan"sv, "x"sv, "1e300"sv, "0.1"sv, "2"sv};
constexpr std::array kBounds{"(1"sv, "-inf"sv, "+inf"sv, "0"sv, "1"sv, "(2"sv, "2"sv, "x"sv, "("sv};
constexpr std::array kLexicalBounds{"-"sv, "+"sv, "[m1"sv, "(m2"sv, "[zz"sv, "m1"sv, "["sv};
constexpr std::array kIndices{"0"sv,   "1"sv,    "-1"sv, "2"sv, "-2"sv, "3"sv,
                              "100"sv, "-100"sv, "x"sv,  "0"sv, "-1"sv};
constexpr std::array kCounts{"1"sv, "2"sv, "3"sv, "0"sv, "-1"sv, "-2"sv, "x"sv, "1"sv, "10"sv};
constexpr std::array kPatterns{"*"sv, "s?"sv,     "?[12]"sv, "f*"sv,
                               ""sv,  "m[1-2]"sv, "\\*"sv,   "[^s]*"sv};
constexpr std::array kChannels{"c1"sv, "c2"sv};
constexpr std::array kDatabases{"0"sv, "1"sv, "0"sv, "15"sv, "16"sv, "x"sv, "0"sv};

Values values_of(char kind) {
  switch (kind) {
    case 'V':
      return kValues;
    case 'I':
      return kIntegers;
    case 'D':
      return kFloats;
    case 'T':
      return kMilliseconds;
    case 'E':
      return kSeconds;
    case 'A':
      return kWallMilliseconds;
    case 'B':
      return kWallSeconds;
    case 'F':
      return kFields;
    case 'M':
      return kMembers;
    case 'S':
      return kScores;
    case 'R':
      return kBounds;
    case 'L':
      return kLexicalBounds;
    case 'X':
      return kIndices;
    case 'N':
      return kCounts;
    case 'P':
      return kPatterns;
    case 'H':
      return kChannels;
    case 'W':
      return kDatabases;
    default:
      return {};
  }
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view Words::one_of(std::span<const std::string_view> values) {
  return values[random_.below(values.size())];
}

std::string Words::value(std::string_view kind) {
  if (kind.front() != 'K') return std::string(one_of(values_of(kind.front())));
  constexpr std::string_view kTypes = "shltz";
  char type = kind.size() > 1 ? kind[1] : '?';
  if (type == '?' || random_.chance(120'000)) type = kTypes[random_.below(kTypes.size())];
  return std::string(1, type) + std::to_string(1 + random_.below(2));
}

void Words::add_word(std::string_view word, Command& command) {
  const char first = word.front();
  if (first == '[' || first == '<') {
    if (first == '<' || random_.chance(400'000)) {
      add_alternative(word.substr(1, word.size() - 2), command);
    }
  } else if (first == '(') {
    const std::uint64_t times = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < times; ++i) add_list(word.substr(1, word.size() - 2), command);
  } else if (first == 'K' || (word.size() == 1 && !values_of(first).empty())) {
    command.add(value(word));
  } else {
    std::string spelled(word);
    if (random_.chance(200'000)) {
      std::transform(spelled.begin(), spelled.end(), spelled.begin(), [](char letter) {
        return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
      });
    }
    command.add(spelled);
  }
}

void Words::add_alternative(std::string_view alternatives, Command& command) {
  add_list(one_of(split(alternatives, '|')), command);
}

void Words::add_list(std::string_view list, Command& command) {
  for (const std::string_view word : split(list, ',')) add_word(word, command);
}

Command Words::expand(std::string_view words) {
  Command command;
  for (const std::string_view word : split(words, ' ')) add_word(word, command);
  return command;
}

void Words::spoil(Command& command) {
  constexpr std::string_view kAny = "VIDTFMSXK";
  const std::uint64_t where = random_.below(command.size());
  const std::uint64_t what = random_.below(4);
  Command spoilt;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const bool here = i == where && i > 0;
    if (here && what == 0) continue;
    if (here && what == 1) spoilt.add(value(kAny.substr(random_.below(kAny.size()), 1)));
    if (here && what == 2) {
      spoilt.add(value(kAny.substr(random_.below(kAny.size()), 1)));
    } else {
      spoilt.add(command[i]);
    }
  }
  if (what == 3) spoilt.add(value(kAny.substr(random_.below(kAny.size()), 1)));
  command = std::move(spoilt);
}

bool answers_in_no_order(std::string_view command) {
  constexpr std::array kNames{"keys"sv,    "scan"sv,  "hscan"sv, "sscan"sv,    "zscan"sv,
                              "hgetall"sv, "hkeys"sv, "hvals"sv, "smembers"sv, "sinter"sv,
                              "sunion"sv,  "sdiff"sv, "exec"sv,  "command"sv,  "pubsub"sv};
  return std::find(kNames.begin(), kNames.end(), command) != kNames.end();
}

}  // namespace holdfast::conformance
