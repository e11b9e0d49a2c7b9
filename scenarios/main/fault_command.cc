// holdfast fault 'clock n1 +10s': strikes a fault at a cluster that `holdfast serve` serves.
#include <charconv>
#include <chrono>
#include <cstdio>

#include "scenarios/live/command_connection.h"
#include "scenarios/main/command_line.h"
#include "scenarios/serve/control_file.h"
#include "scenarios/serve/fault_words.h"
#include "sim/redis/split_words.h"

namespace holdfast::program {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

int print_fault_help() {
  std::printf(
      "usage: holdfast fault [--control PORT] 'WORDS'\n"
      "Strikes a fault at the cluster that `holdfast serve` serves on this machine.\n\n%s\n"
      "example: holdfast fault 'clock n1 +10s'\n",
      serve::fault_help().c_str());
  return kOk;
}

// The control port, or 0 after an error that has been printed.
std::uint16_t find_port() {
  const auto served = serve::served_now();
  if (served.size() == 1) return served.front().control_port;
  if (served.empty()) {
    bad_input("fault: no `holdfast serve` of this user runs here; else say --control PORT");
    return 0;
  }
  bad_input("fault: several clusters are served; say which one:");
  for (const auto& one : served) {
    std::fprintf(stderr, "  --control %u  %s (process %d)\n", one.control_port,
                 one.scenario.c_str(), one.process);
  }
  return 0;
}

int ask(std::uint16_t port, const Command& words) {
  live::CommandConnection connection("127.0.0.1", port);
  const auto reply = connection.try_ask(words, kPatience);
  if (!reply) {
    std::fprintf(stderr, "holdfast: fault: control port %u: %s\n", port,
                 connection.problem().c_str());
    return kWorldFailed;
  }
  if (reply->is_error()) {
    const bool code = reply->text.starts_with("ERR ");
    return bad_input("fault: " + reply->text.substr(code ? 4 : 0));
  }
  std::fputs(reply->text.c_str(), stdout);
  if (reply->text.empty() || reply->text.back() != '\n') std::fputs("\n", stdout);
  return kOk;
}

}  // namespace

int fault_command(const Arguments& arguments) {
  Arguments words = arguments;
  std::uint16_t port = 0;
  if (words.size() >= 2 && words[0] == "--control") {
    const std::string& text = words[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size() || port == 0) {
      return bad_input("fault: --control " + text + ": expected a port");
    }
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) return bad_input("fault: which fault? holdfast fault --help lists them");
  if (words[0] == "--help" || words[0] == "-h") return print_fault_help();
  Command command;
  if (words.size() > 1) {
    for (const auto& word : words) command.add(word);
  } else if (!sim::redis::split_words(words[0], command)) {
    return bad_input("fault: unbalanced quotes in: " + words[0]);
  }
  if (command.empty()) return bad_input("fault: which fault? holdfast fault --help lists them");
  if (port == 0) port = find_port();
  return port == 0 ? kBadInput : ask(port, command);
}

}  // namespace holdfast::program
