// holdfast serve SCENARIO: the scenario's servers on TCP ports, for any Redis client.
#include <uv.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "scenarios/format/parse.h"
#include "scenarios/main/command_line.h"
#include "scenarios/serve/control_file.h"
#include "scenarios/serve/service.h"

namespace holdfast::program {

namespace po = boost::program_options;

namespace {

po::options_description serve_options_shown() {
  po::options_description options(
      "usage: holdfast serve SCENARIO [options]\n"
      "Serves the scenario's servers on TCP ports of 127.0.0.1, in real time, until Ctrl-C: any "
      "Redis\nclient meets its faults, and those that are asked for with `holdfast fault`. Where "
      "two clients\nwere told that they have the same lock, a possible overlap is reported.\n\n"
      "exit codes: 0 no possible overlap was seen, 1 one was, 2 bad usage or input, 3 a port was "
      "taken\n            or the disk failed\n\n"
      "example: holdfast serve scenarios/catalogue/failover-loses-lock.json --port 7001\n\n"
      "options");
  auto add = options.add_options();
  add("port", po::value<int>()->default_value(0),
      "of the first node, the others follow (default: free ones, printed)");
  add("control", po::value<int>()->default_value(0),
      "port for `holdfast fault` (default: a free one, printed)");
  add("scale", po::value<double>()->default_value(1.0),
      "shrink the durations of the scenario's file (0.1: its faults come ten times sooner)");
  add("seed", po::value<int>()->default_value(1), "of what the file leaves to chance");
  add("out", po::value<std::string>()->default_value(""),
      "write every command and answer to traffic.jsonl in this folder");
  add("help", "this text");
  return options;
}

// Ends the loop at Ctrl-C, also while it waits.
class UntilInterrupted {
 public:
  explicit UntilInterrupted(detail::LoopCore& core) : core_(core) {
    for (std::size_t i = 0; i < 2; ++i) {
      uv_signal_init(core.uv(), &signals_[i]);
      signals_[i].data = this;
      uv_signal_start(
          &signals_[i],
          [](uv_signal_t* signal, int) {
            interrupted.store(true);
            static_cast<UntilInterrupted*>(signal->data)->core_.stop();
          },
          i == 0 ? SIGINT : SIGTERM);
    }
  }
  ~UntilInterrupted() {
    for (auto& signal : signals_) uv_close(reinterpret_cast<uv_handle_t*>(&signal), nullptr);
    uv_run(core_.uv(), UV_RUN_NOWAIT);
  }
  UntilInterrupted(const UntilInterrupted&) = delete;
  UntilInterrupted& operator=(const UntilInterrupted&) = delete;

 private:
  detail::LoopCore& core_;
  uv_signal_t signals_[2] = {};
};

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

int serve(const scenario::Scenario& scenario, const serve::ServiceOptions& options) {
  detail::LoopCore core;
  serve::Service service(core, scenario, options, say);
  const serve::ControlFile file(service.control_port(), scenario.name);
  const UntilInterrupted until(core);
  for (const auto& line : service.introduction()) say(line);
  core.run([] { return interrupted.load(); });
  for (const auto& line : service.summary()) say(line);
  return service.overlaps().empty() ? kOk : kNotMet;
}

int read(const po::variables_map& values) {
  if (values.count("scenario") == 0) return bad_input("serve: which scenario?");
  const int port = values["port"].as<int>();
  const int control = values["control"].as<int>();
  const double scale = values["scale"].as<double>();
  auto parsed = scenario::parse_file(values["scenario"].as<std::string>());
  if (const auto* errors = std::get_if<std::vector<scenario::ParseError>>(&parsed)) {
    for (const auto& error : *errors) std::fprintf(stderr, "%s\n", error.text().c_str());
    return kBadInput;
  }
  const auto& scenario = std::get<scenario::Scenario>(parsed);
  const int most = 65536 - static_cast<int>(scenario.servers.size() + scenario.sentinels.size());
  if (port < 0 || port > most) {
    return bad_input("serve: --port: expected 0 to " + std::to_string(most));
  }
  if (control < 0 || control > 65535) return bad_input("serve: --control: expected 0 to 65535");
  if (!(scale > 0 && scale <= 1)) {
    return bad_input("serve: --scale: expected a number above 0 and up to 1");
  }
  serve::ServiceOptions options;
  options.front.port = static_cast<std::uint16_t>(port);
  options.front.seed = static_cast<std::uint64_t>(values["seed"].as<int>());
  options.control = static_cast<std::uint16_t>(control);
  options.scale = scale;
  options.out = values["out"].as<std::string>();
  return serve(scenario, options);
}

}  // namespace

int serve_command(const Arguments& arguments) {
  const po::options_description visible = serve_options_shown();
  po::options_description all;
  all.add(visible).add_options()("scenario", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("scenario", 1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), values);
    po::notify(values);
    if (values.count("help") == 0) return read(values);
    std::cout << visible;
    return kOk;
  } catch (const po::error& error) {
    return bad_input(std::string(error.what()) + "; holdfast serve --help lists the options");
  }
}

}  // namespace holdfast::program
