// Helpers of the format's tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/format/parse.h"

namespace holdfast::scenario {

// A small file without mistakes, one section a line, so that errors have short positions.
inline std::string good_file() {
  return R"({ "holdfast": 1, "name": "small", "shows": "nothing",
"servers": { "n1": {}, "n1r": { "replica_of": "n1" }, "n2": {} },
"guarded": { "stock": { "fencing": false } },
"lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "10s", "watchdog": true },
"clients": {
 "A": [ { "acquire": "k" }, { "write": "stock" }, { "release": "k" } ],
 "B": [ { "sleep": "1s" }, { "acquire": "k", "wait": "60s" }, { "release": "k" } ] },
"faults": [ { "pause": "A", "at": "1s", "for": "15s" } ],
"requires": [ "B acquired while A is paused" ],
"expect": { "mutual-exclusion": "violated" } })";
}

// The file with the one occurrence of `from` replaced.
inline std::string changed(std::string_view from, std::string_view to) {
  std::string text = good_file();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is not unique";
  return text.replace(at, from.size(), to);
}

// The errors of reading `text` as "f.json", each "line:column: message".
inline std::vector<std::string> errors_of(const std::string& text,
                                          const std::map<std::string, std::string>& set = {}) {
  const ParseResult result = parse_text(text, "f.json", set);
  std::vector<std::string> texts;
  if (const auto* errors = std::get_if<std::vector<ParseError>>(&result)) {
    for (const ParseError& error : *errors) {
      std::string line = error.text();
      if (line.starts_with("f.json:")) line = line.substr(7);
      texts.push_back(line);
    }
  }
  return texts;
}

// The scenario; a failure of the test when it has errors.
inline Scenario scenario_of(const std::string& text,
                            const std::map<std::string, std::string>& set = {}) {
  ParseResult result = parse_text(text, "f.json", set);
  if (const auto* errors = std::get_if<std::vector<ParseError>>(&result)) {
    ADD_FAILURE() << errors->front().text();
    return {};
  }
  return std::get<Scenario>(std::move(result));
}

using Texts = std::vector<std::string>;

}  // namespace holdfast::scenario
