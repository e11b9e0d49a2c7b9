// holdfast: can two clients ever be inside at once, under which faults, and why?
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>

#include "scenarios/main/command_line.h"

namespace holdfast::program {

std::atomic<bool> interrupted{false};
std::string called_as = "holdfast";

int bad_input(const std::string& message) {
  std::fprintf(stderr, "holdfast: %s\n", message.c_str());
  return kBadInput;
}

namespace {

struct CommandRow {
  std::string_view name;
  int (*run)(const Arguments&);
  std::string_view what;
};

constexpr std::array kCommands{
    CommandRow{"run", run_command, "run scenario files and judge them"},
    CommandRow{"list", list_command, "what each scenario of the catalogue shows"},
    CommandRow{"new", new_command, "print a commented starter scenario"},
    CommandRow{"report", report_command, "render the reports of a finished run again"},
    CommandRow{"serve", serve_command, "the scenario's servers on TCP ports, for any Redis client"},
    CommandRow{"fault", fault_command, "strike a fault at what is served"},
};
constexpr std::array<std::string_view, 5> kPlanned{"check", "replay", "explore", "sweep", "merge"};

void print_help() {
  std::printf(
      "holdfast: can two clients ever be inside a Redis lock at once, under which faults, and "
      "why?\n"
      "\nusage: holdfast COMMAND [options]      holdfast COMMAND --help\n\n");
  for (const auto& row : kCommands) {
    std::printf("  %-8s %s\n", std::string(row.name).c_str(), std::string(row.what).c_str());
  }
  std::printf(
      "\nexample: holdfast run scenarios/catalogue/gc-pause.json\n"
      "\nexit codes: 0 as expected, 1 an expectation was not met, 2 bad usage or input,\n"
      "            3 a wanted world was missing or failed, 130 interrupted\n");
}

extern "C" void on_signal(int) { interrupted.store(true); }

int dispatch(const std::string& command, const Arguments& rest) {
  if (command == "live-client") return live_client_command(rest);
  for (const auto& row : kCommands) {
    if (row.name == command) return row.run(rest);
  }
  for (const auto planned : kPlanned) {
    if (planned == command) return bad_input("the command '" + command + "' is not built yet");
  }
  return bad_input("unknown command '" + command + "'; holdfast --help lists them");
}

// What was printed must have arrived: else 3, with the reason, unless the reader went away by
// itself (holdfast list | head).
int with_output_checked(int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (flushed && std::ferror(stdout) == 0) return code;
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  poll(&out, 1, 0);
  if (reason == EPIPE || (out.revents & POLLERR) != 0) return code;
  const std::string why = reason == 0 ? "" : ": " + std::generic_category().message(reason);
  std::fprintf(stderr, "holdfast: cannot write to standard output%s\n", why.c_str());
  return code == kOk || code == kNotMet ? kWorldFailed : code;
}

int run(const Arguments& all) {
  if (all.empty() || all[0] == "--help" || all[0] == "-h" || all[0] == "help") {
    print_help();
    return all.empty() ? kBadInput : kOk;
  }
  if (all[0] == "--version") {
    std::printf("holdfast %s\n", HOLDFAST_VERSION);
    return kOk;
  }
  try {
    return dispatch(all[0], Arguments(all.begin() + 1, all.end()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "holdfast: %s\n", error.what());
    return kWorldFailed;
  }
}

}  // namespace
}  // namespace holdfast::program

int main(int argc, char** argv) {
  using namespace holdfast::program;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  if (argc > 0) called_as = argv[0];
  return with_output_checked(run(Arguments(argv + 1, argv + argc)));
}
