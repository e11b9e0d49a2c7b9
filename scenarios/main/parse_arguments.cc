#include "scenarios/main/parse_arguments.h"

#include <iostream>

namespace holdfast::program {

namespace po = boost::program_options;

std::variant<ParsedArguments, int> parse_arguments(const std::string& command,
                                                   const Arguments& arguments,
                                                   const po::options_description& options) {
  po::options_description all;
  all.add(options).add_options()("positional", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("positional", -1);
  ParsedArguments parsed;
  try {
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(),
              parsed.values);
    po::notify(parsed.values);
  } catch (const po::error& error) {
    return bad_input(command + ": " + error.what() + "; holdfast " + command +
                     " --help lists the options");
  }
  if (parsed.values.count("help") != 0) {
    std::cout << options;
    return kOk;
  }
  if (parsed.values.count("positional") != 0) {
    parsed.positional = parsed.values["positional"].as<std::vector<std::string>>();
  }
  return parsed;
}

}  // namespace holdfast::program
