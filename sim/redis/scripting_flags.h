// The first line of a script that says how it is to be run: "#!lua flags=no-writes,allow-stale".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::sim::redis {

struct ScriptHead {
  std::uint32_t flags = 0;  // ScriptFlags
  std::size_t length = 0;   // of the line, without its end: what follows is Lua
  std::string error = {};   // with its code; empty: it is well-formed, or there is none
};

ScriptHead read_head(std::string_view body);

}  // namespace holdfast::sim::redis
