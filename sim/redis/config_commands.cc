// CONFIG GET, SET, RESETSTAT, REWRITE.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

bool is_pattern(std::string_view text) { return text.find_first_of("[*?") != text.npos; }

// A name is shown as it was asked for, what a pattern finds under its own.
void get(Execution& run) {
  run.reply.type = Reply::Type::map;
  std::vector<std::string> shown;
  const auto show = [&](std::string_view name, std::size_t row) {
    if (std::find(shown.begin(), shown.end(), lowered(name)) != shown.end()) return;
    shown.push_back(lowered(name));
    run.element(name);
    run.element(run.server.config().text(row));
  };
  for (std::size_t i = 2; i < run.size(); ++i) {
    if (!is_pattern(run[i])) {
      if (const auto row = Configuration::find(run[i])) show(run[i], *row);
      continue;
    }
    const std::string pattern = lowered(run[i]);
    const auto all = parameters();
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (matches_glob(pattern, all[row].name)) show(all[row].name, row);
    }
    for (const ParameterAlias& alias : parameter_aliases()) {
      if (matches_glob(pattern, alias.name)) show(alias.name, *Configuration::find(alias.means));
    }
  }
}

void refuse(Execution& run, std::string_view name, std::string_view why) {
  run.error("ERR CONFIG SET failed (possibly related to argument '" + std::string(name) + "') - " +
            std::string(why));
}

// All or nothing.
void set(Execution& run) {
  if (run.size() % 2 != 0) return run.syntax_error();
  std::vector<std::pair<std::size_t, std::string>> values;
  for (std::size_t i = 2; i < run.size(); i += 2) {
    const auto row = Configuration::find(run[i]);
    if (!row) {
      return run.error("ERR Unknown option or number of arguments for CONFIG SET - '" +
                       std::string(run[i]) + "'");
    }
    const bool again = std::any_of(values.begin(), values.end(),
                                   [&](const auto& value) { return value.first == *row; });
    if (again) return refuse(run, run[i], "duplicate parameter");
    if (parameters()[*row].kind == Parameter::Kind::fixed) {
      return refuse(run, run[i], "can't set immutable config");
    }
    values.emplace_back(*row, run[i + 1]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string problem;
    const auto text = run.server.config().read(values[i].first, values[i].second, problem);
    if (!text) return refuse(run, run[2 + 2 * i], problem);
    values[i].second = *text;
  }
  for (auto& [row, text] : values) run.server.config().set(row, std::move(text));
  run.server.apply_configuration();
  run.ok();
}

void resetstat(Execution& run) { run.ok(); }

void rewrite(Execution& run) { run.error("ERR The server is running without a config file"); }

constexpr std::uint32_t kConfigFlags = kAdmin | kNotInScript | kLoading | kStale;
constexpr CommandSpec kConfigCommands[] = {
    {"config", -2, kContainer, 0, 0, 0, nullptr},
    {"config|get", -3, kConfigFlags, 0, 0, 0, get},
    {"config|set", -4, kConfigFlags, 0, 0, 0, set},
    {"config|resetstat", 2, kConfigFlags, 0, 0, 0, resetstat},
    {"config|rewrite", 2, kConfigFlags, 0, 0, 0, rewrite},
};

}  // namespace

std::span<const CommandSpec> config_commands() { return kConfigCommands; }

}  // namespace holdfast::sim::redis
