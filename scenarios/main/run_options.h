// The options of `holdfast run`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/live/server_address.h"
#include "scenarios/main/command_line.h"

namespace holdfast::program {

struct RunOptions {
  std::vector<std::string> paths;
  bool sim = true;
  bool live = false;
  std::optional<std::uint64_t> seeds = {};  // default 1,000 simulated, 1 live
  std::uint64_t seed = 1;                   // the first one
  unsigned jobs = 0;                        // 0: one a core; live: two at a time
  std::string out = {};                     // folder of the reports; empty: reports-out
  std::string junit = {};
  std::string json = {};
  std::vector<live::ServerAddress> redis = {};  // for live runs on servers that exist
  std::optional<double> scale = {};             // of live durations; default: the file's
  bool explain = false;                         // print each violation's explanation
};

// The options, or the exit code after --help or an error (which has been printed).
std::variant<RunOptions, int> parse_run_options(const Arguments& arguments);

}  // namespace holdfast::program
