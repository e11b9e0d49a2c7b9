#include "scenarios/main/run_options.h"

#include <array>
#include <charconv>
#include <utility>

#include "scenarios/main/parse_arguments.h"

namespace holdfast::program {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t kMostJobs = 1024;

// A whole number that is not negative. Boost's own reading takes "-1" for 18446744073709551615.
struct Count {
  std::uint64_t value = 0;
};

// Boost.Program_options finds it by its arguments.
void validate(boost::any& result, const std::vector<std::string>& texts, Count*, int) {
  const std::string& text = po::validators::get_single_string(texts);
  Count count;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count.value);
  if (error != std::errc() || stop != end) throw po::invalid_option_value(text);
  result = count;
}

po::options_description run_options_shown() {
  po::options_description options(
      "usage: holdfast run [PATH...] [options]\n"
      "Runs scenario files (folders: all in them; none: the catalogue) and judges every run.\n\n"
      "example: holdfast run scenarios/catalogue/gc-pause.json --seeds 10000\n\noptions");
  auto add = options.add_options();
  add("world", po::value<std::string>()->default_value("sim"), "sim, live or both");
  add("seeds", po::value<Count>(), "how many seeds (default 1000 simulated, 1 live)");
  add("seed", po::value<Count>(), "the first seed (default 1)");
  add("jobs", po::value<Count>(), "workers (default: one a core)");
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

// A second vote, or guarded data beside the lock's own, must not come about unseen: "a:1 twice".
std::optional<std::string> named_twice(const std::vector<live::ServerAddress>& servers) {
  for (std::size_t i = 0; i < servers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (servers[i].text() == servers[j].text()) return servers[i].text() + " twice";
      if (live::same_server(servers[i], servers[j])) {
        return servers[j].text() + " and " + servers[i].text() + ", which are one server";
      }
    }
  }
  return std::nullopt;
}

std::variant<RunOptions, int> read(ParsedArguments parsed) {
  const po::variables_map& values = parsed.values;
  RunOptions options;
  options.paths = std::move(parsed.positional);
  const auto world = values["world"].as<std::string>();
  if (world != "sim" && world != "live" && world != "both") {
    return bad_input("--world " + world + ": expected sim, live or both");
  }
  options.sim = world != "live";
  options.live = world != "sim";
  if (values.count("seeds")) options.seeds = values["seeds"].as<Count>().value;
  if (options.seeds == 0U) return bad_input("--seeds 0: expected at least 1");
  if (values.count("seed")) options.seed = values["seed"].as<Count>().value;
  if (values.count("jobs")) {
    const std::uint64_t jobs = values["jobs"].as<Count>().value;
    if (jobs == 0 || jobs > kMostJobs) {
      return bad_input("--jobs: expected 1 to " + std::to_string(kMostJobs));
    }
    options.jobs = static_cast<unsigned>(jobs);
  }
  const std::array<std::pair<const char*, std::string*>, 3> paths{
      {{"out", &options.out}, {"junit", &options.junit}, {"json", &options.json}}};
  for (const auto& [name, path] : paths) {
    *path = values[name].as<std::string>();
    if (path->empty() && !values[name].defaulted()) {
      return bad_input("--" + std::string(name) + ": expected a path");
    }
  }
  if (values.count("scale")) {
    if (!options.live) return bad_input("--scale needs --world live or both");
    options.scale = values["scale"].as<double>();
    if (!(*options.scale > 0 && *options.scale <= 1)) {
      return bad_input("--scale: expected a number above 0 and up to 1");
    }
  }
  const auto redis = values["redis"].as<std::string>();
  if (!values["redis"].defaulted()) {
    if (!options.live) return bad_input("--redis needs --world live or both");
    auto addresses = live::parse_server_addresses(redis);
    if (const auto* problem = std::get_if<std::string>(&addresses)) {
      return bad_input("--redis " + *problem);
    }
    options.redis = std::get<std::vector<live::ServerAddress>>(std::move(addresses));
    if (const auto twice = named_twice(options.redis)) {
      return bad_input("--redis names " + *twice);
    }
  }
  options.explain = values["explain"].as<bool>();
  return options;
}

}  // namespace

std::variant<RunOptions, int> parse_run_options(const Arguments& arguments) {
  auto parsed = parse_arguments("run", arguments, run_options_shown());
  if (const int* over = std::get_if<int>(&parsed)) return *over;
  return read(std::get<ParsedArguments>(std::move(parsed)));
}

}  // namespace holdfast::program
