#include "tests/tidy/rules.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace holdfast::tidy {

namespace {

std::string at(const SourceFile& file, std::size_t line, std::string_view what) {
  return file.path + ":" + std::to_string(line + 1) + ": " + std::string(what);
}

bool under(const SourceFile& file, std::string_view folder) {
  return file.path.starts_with(folder);
}

}  // namespace

Findings too_long(const SourceFile& file) {
  Findings findings;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].size() > 100) findings.push_back(at(file, i, "over 100 columns"));
  }
  const std::size_t most = under(file, "tests/") ? 700 : 500;
  if (file.lines.size() > most) findings.push_back(at(file, most, "the file is too long"));
  return findings;
}

// A function starts at a line that ends with "{" and is neither a type, a namespace nor a control
// statement, at the indentation of a namespace or a class; it ends at "}" of the same indentation.
Findings long_functions(const SourceFile& file) {
  static const std::regex no_function(
      R"(^\s*(namespace|class|struct|enum|union|if|for|while|switch|do|else|case|extern)\b)"
      R"(|^\s*(static )?constexpr )");
  Findings findings;
  const auto code = code_only(file.lines);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto indent = code[i].find_first_not_of(' ');
    if (indent == std::string::npos || indent > 2 || !code[i].ends_with("{")) continue;
    if (code[i].find(')') == std::string::npos || std::regex_search(code[i], no_function)) continue;
    std::size_t end = i + 1;
    while (end < code.size() && !(code[end].size() > indent && code[end][indent] == '}' &&
                                  code[end].find_first_not_of(' ') == indent)) {
      ++end;
    }
    if (end - i > 70) findings.push_back(at(file, i, "a function of over 70 lines"));
  }
  return findings;
}

Findings bad_awaits(const SourceFile& file) {
  static const std::regex alone(
      R"(^\s*(co_return\s+)?co_await\s[^\{\[]*$)"
      R"(|^\s*[\w:<>,&\*\s\.\(\)>-]*[\w>&]\s*=\s*co_await\s[^\{\[]*$)"
      R"(|^[^\{\[]*\)\s*\{\s*co_await\s[^\{\[]*;\s*\}$)");  // a one-line coroutine
  static const std::regex bad_start(R"(^\s*(if|while|switch|for|else)\b|\?|&&|\|\|)");
  Findings findings;
  const auto code = code_only(file.lines);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].find("co_await") == std::string::npos) continue;
    if (code[i].find("operator co_await") != std::string::npos) continue;
    // The whole statement: back to the line after the last one that ended, on to the semicolon.
    std::size_t first = i;
    while (first > 0) {
      const auto& before = code[first - 1];
      const auto last = before.find_last_not_of(' ');
      if (last == std::string::npos ||
          std::string_view(";{}:").find(before[last]) != std::string_view::npos) {
        break;
      }
      --first;
    }
    std::string statement;
    for (std::size_t j = first; j < code.size(); ++j) {
      statement += code[j];
      if (code[j].find(';') != std::string::npos) break;
    }
    std::smatch unused;
    if (!std::regex_match(statement, unused, alone) || std::regex_search(statement, bad_start)) {
      findings.push_back(at(file, i, "co_await does not stand alone"));
    }
  }
  return findings;
}

Findings real_world_tokens(const SourceFile& file) {
  static constexpr std::array<std::string_view, 6> kMay{"lockcore/hiredis/", "scenarios/live/",
                                                        "scenarios/serve/",  "scenarios/explore/",
                                                        "scenarios/main/",   "tests/"};
  static const std::regex tokens(
      R"(\b(system_clock|steady_clock|high_resolution_clock)\s*::\s*now|\brandom_device\b)"
      R"(|\bmt19937|\bstd::(uniform_|normal_|exponential_)\w+|\bclock_gettime\b|\bgettimeofday\b)"
      R"(|\bgetenv\b|\brand\(\)|\bstd::(jthread|thread|mutex|async)\b|\bsocket\()"
      R"(|\bunordered_(map|set)\b)");
  Findings findings;
  if (std::any_of(kMay.begin(), kMay.end(), [&](auto room) { return under(file, room); })) {
    return findings;
  }
  const auto code = code_only(file.lines);
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::smatch match;
    if (std::regex_search(code[i], match, tokens)) {
      findings.push_back(at(file, i, "'" + match.str() + "' does not belong in this room"));
    }
  }
  return findings;
}

Findings wrong_arrows(const SourceFile& file) {
  struct Rule {
    std::string_view room;
    std::regex forbidden;
  };
  static const std::vector<Rule> rules{
      {"lockcore/", std::regex(R"(#include "(sim|reports|scenarios|tests)/)")},
      {"reports/", std::regex(R"(#include "(lockcore|sim|scenarios|tests)/)")},
      {"reports/history/", std::regex(R"(#include (<nlohmann|<fmt|"reports/(?!history/)))")},
      {"reports/judge/", std::regex(R"(#include (<nlohmann|<fmt|"reports/(?!history/|judge/)))")},
      {"sim/", std::regex(R"(#include "(reports/(?!history/)|scenarios|tests)/?)")},
      {"scenarios/", std::regex(R"(#include "tests/)")},
      {"scenarios/format/", std::regex(R"(#include "(sim|scenarios/(?!format/)))")},
      {"scenarios/workload/", std::regex(R"(#include "(sim|scenarios/(?!format/|workload/)))")},
  };
  Findings findings;
  const bool real_world = under(file, "lockcore/hiredis/");
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const auto& rule : rules) {
      if (under(file, rule.room) && std::regex_search(file.lines[i], rule.forbidden)) {
        findings.push_back(at(file, i, "this room must not include that one"));
      }
    }
    const bool library = file.lines[i].find("#include <hiredis") == 0 ||
                         file.lines[i].find("#include <uv.h") == 0 ||
                         file.lines[i].find("#include <nlohmann") == 0;
    if (under(file, "lockcore/") && !real_world && library) {
      findings.push_back(at(file, i, "the lock core uses the standard library alone"));
    }
  }
  return findings;
}

}  // namespace holdfast::tidy
