// libFuzzer: bytes of a client into the request parser. In pieces of any size they are the same
// requests, and the same error, as in one.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/serve/request_parser.h"

namespace holdfast::serve {
namespace {

struct Parsed {
  std::vector<Command> commands = {};
  std::string error = {};
  bool operator==(const Parsed& other) const {
    return error == other.error && commands == other.commands;
  }
};

Parsed parse(std::string_view bytes, std::size_t piece) {
  RequestParser parser;
  Parsed parsed;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    parser.append(bytes.substr(at, piece));
    for (auto result = RequestParser::Result::command; result == RequestParser::Result::command;) {
      Command command;
      result = parser.next(command);
      if (result == RequestParser::Result::command) parsed.commands.push_back(std::move(command));
    }
    if (!parser.error().empty()) break;
  }
  parsed.error = parser.error();
  return parsed;
}

}  // namespace
}  // namespace holdfast::serve

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using holdfast::serve::parse;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = parse(bytes, bytes.size());
  if (!(parse(bytes, 1 + data[0] % 16U) == whole)) std::abort();
  for (const auto& command : whole.commands) {
    if (command.size() == 0) std::abort();
  }
  return 0;
}
