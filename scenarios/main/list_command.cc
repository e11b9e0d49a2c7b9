// holdfast list: what each scenario shows, what is expected of it, where it comes from.
#include <fmt/format.h>

#include <cstdio>

#include "scenarios/format/parse.h"
#include "scenarios/main/command_line.h"

namespace holdfast::program {

using scenario::Expectation;
using scenario::Scenario;

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void print(const Scenario& scenario) {
  std::vector<std::string> broken;
  for (const auto& [invariant, expectation] : scenario.expect) {
    if (expectation == Expectation::violated) broken.push_back(invariant + " violated");
    if (expectation == Expectation::can_be_violated)
      broken.push_back(invariant + " can be violated");
  }
  std::vector<std::string> worlds;
  if (scenario.sim) worlds.emplace_back("sim");
  if (scenario.live) worlds.emplace_back("live");
  std::printf("%s\n", scenario.name.c_str());
  std::printf("    shows   %s\n", scenario.shows.c_str());
  std::printf("    expects %s\n", broken.empty() ? "everything holds" : joined(broken).c_str());
  std::printf("    source  %s\n", joined(scenario.source).c_str());
  std::printf("    worlds  %s\n", joined(worlds).c_str());
  std::printf("    file    %s\n", scenario.file.c_str());
}

}  // namespace

int list_command(const Arguments& arguments) {
  for (const auto& argument : arguments) {
    if (argument == "--help") {
      std::puts(
          "usage: holdfast list [PATH...]\n"
          "Lists scenario files (none named: the catalogue): what each shows and expects.\n\n"
          "example: holdfast list scenarios/catalogue");
      return kOk;
    }
    if (argument.starts_with("-")) return bad_input("list: unknown option " + argument);
  }
  std::string problem;
  const auto files = scenario_files(arguments, problem);
  if (!problem.empty()) return bad_input(problem);
  bool failed = false;
  for (const auto& file : files) {
    const auto result = scenario::parse_file(file);
    if (const auto* errors = std::get_if<std::vector<scenario::ParseError>>(&result)) {
      for (const auto& error : *errors) std::fprintf(stderr, "%s\n", error.text().c_str());
      failed = true;
    } else {
      print(std::get<Scenario>(result));
    }
  }
  return failed ? kBadInput : kOk;
}

}  // namespace holdfast::program
