// holdfast new NAME: a commented starter scenario on stdout.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "scenarios/format/starter.h"
#include "scenarios/main/command_line.h"

namespace holdfast::program {

int new_command(const Arguments& arguments) {
  if (arguments.size() != 1 || arguments[0] == "--help") {
    std::puts(
        "usage: holdfast new NAME\n"
        "Prints a commented starter scenario of that name; redirect it to a file and change it.\n\n"
        "example: holdfast new my-lock > my-lock.json && holdfast run my-lock.json");
    return arguments.size() == 1 ? kOk : kBadInput;
  }
  const std::string& name = arguments[0];
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!good || name.starts_with("-")) {
    return bad_input("new: '" + name + "': expected a name of letters, digits, '-', '_' and '.'");
  }
  std::fputs(scenario::starter_scenario(name).c_str(), stdout);
  return kOk;
}

}  // namespace holdfast::program
