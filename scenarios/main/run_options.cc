#include "scenarios/main/run_options.h"

#include <boost/program_options.hpp>
#include <iostream>

namespace holdfast::program {

namespace po = boost::program_options;

namespace {

po::options_description visible_options() {
  po::options_description options(
      "usage: holdfast run [PATH...] [options]\n"
      "Runs scenario files (folders: all in them; none: the catalogue) and judges every run.\n\n"
      "example: holdfast run scenarios/catalogue/gc-pause.json --seeds 10000\n\noptions");
  auto add = options.add_options();
  add("world", po::value<std::string>()->default_value("sim"), "sim, live or both");
  add("seeds", po::value<std::uint64_t>(), "how many seeds (default 1000 simulated, 1 live)");
  add("seed", po::value<std::uint64_t>()->default_value(1), "the first seed");
  add("jobs", po::value<unsigned>()->default_value(0), "workers (default: one a core)");
  add("out", po::value<std::string>()->default_value("reports-out"), "folder of the reports");
  add("junit", po::value<std::string>()->default_value(""), "also write JUnit XML here");
  add("json", po::value<std::string>()->default_value(""), "also write the result as JSON here");
  add("scale", po::value<double>(), "shrink the durations of live runs (0.1: ten times faster)");
  add("redis", po::value<std::string>()->default_value(""),
      "live: use these servers (host:port,...) instead of starting some; client-side faults only");
  add("explain", po::bool_switch(), "print the explanation of each violation");
  add("help", "this text");
  return options;
}

std::variant<RunOptions, int> read(const po::variables_map& values) {
  RunOptions options;
  if (values.count("path")) options.paths = values["path"].as<std::vector<std::string>>();
  const auto world = values["world"].as<std::string>();
  if (world != "sim" && world != "live" && world != "both") {
    return bad_input("--world " + world + ": expected sim, live or both");
  }
  options.sim = world != "live";
  options.live = world != "sim";
  if (values.count("seeds")) options.seeds = values["seeds"].as<std::uint64_t>();
  if (options.seeds == 0U) return bad_input("--seeds 0: expected at least 1");
  options.seed = values["seed"].as<std::uint64_t>();
  options.jobs = values["jobs"].as<unsigned>();
  if (options.jobs > 1024) return bad_input("--jobs: expected at most 1024");
  options.out = values["out"].as<std::string>();
  options.junit = values["junit"].as<std::string>();
  options.json = values["json"].as<std::string>();
  options.redis = values["redis"].as<std::string>();
  if (values.count("scale")) {
    options.scale = values["scale"].as<double>();
    if (!(*options.scale > 0 && *options.scale <= 1)) {
      return bad_input("--scale: expected a number above 0 and up to 1");
    }
  }
  if (!options.redis.empty() && !options.live) {
    return bad_input("--redis needs --world live or both");
  }
  options.explain = values["explain"].as<bool>();
  return options;
}

}  // namespace

std::variant<RunOptions, int> parse_run_options(const Arguments& arguments) {
  const po::options_description visible = visible_options();
  po::options_description all;
  all.add(visible).add_options()("path", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("path", -1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), values);
    po::notify(values);
    if (values.count("help")) {
      std::cout << visible;
      return kOk;
    }
    return read(values);
  } catch (const po::error& error) {
    return bad_input(std::string(error.what()) + "; holdfast run --help lists the options");
  }
}

}  // namespace holdfast::program
