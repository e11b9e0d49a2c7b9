// A command's options and the paths behind them, read by Boost.Program_options.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/main/command_line.h"

namespace holdfast::program {

struct ParsedArguments {
  boost::program_options::variables_map values;
  std::vector<std::string> positional;  // what is not an option, in order
};

// The command is over when it holds an exit code: after --help, which prints `options` (they have
// it already), or after one error on stderr.
std::variant<ParsedArguments, int> parse_arguments(
    const std::string& command, const Arguments& arguments,
    const boost::program_options::options_description& options);

}  // namespace holdfast::program
