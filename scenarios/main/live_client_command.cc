// The hidden command behind each client process of the live lab.
#include <cstdlib>

#include "scenarios/live/live_client.h"
#include "scenarios/main/command_line.h"

namespace holdfast::program {

int live_client_command(const Arguments& arguments) {
  if (arguments.size() != 1) return bad_input("live-client is started by the live lab alone");
  return live::run_live_client(std::atoi(arguments[0].c_str()));
}

}  // namespace holdfast::program
