#include "lockcore/redis_client.h"

#include <algorithm>
#include <array>

namespace holdfast {

namespace {

// Refused before dispatch whatever follows the code (FIDELITY §7, order of checks). READONLY is
// safe inside a script too: a replica refuses the script's first write.
constexpr std::array<std::string_view, 9> kNeverExecuted = {
    "NOSCRIPT", "LOADING", "READONLY",    "BUSY",      "MOVED",
    "ASK",      "NOAUTH",  "CLUSTERDOWN", "MASTERDOWN"};

// Refused before dispatch, unless a script that was already running met the error.
constexpr std::array<std::string_view, 5> kNotExecutedOutsideScripts = {
    "NOREPLICAS", "OOM", "MISCONF", "ERR", "WRONGTYPE"};

// Redis 7.0 appends " script: <sha1>, on @user_script:<line>." (FID-L3).
bool from_running_script(std::string_view text) {
  return text.find(" script: ") != std::string_view::npos &&
         text.find("@user_script:") != std::string_view::npos;
}

template <std::size_t kSize>
bool among(const std::array<std::string_view, kSize>& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

bool said_by_redis(std::string_view text) {
  return text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z';
}

CallResult classify(Reply reply) {
  if (!reply.is_error()) return {Known::answered, std::move(reply)};
  const std::string_view text = reply.text;
  const std::string_view code = text.substr(0, text.find(' '));
  const bool refused = among(kNeverExecuted, code) ||
                       (among(kNotExecutedOutsideScripts, code) && !from_running_script(text));
  return {refused ? Known::not_executed : Known::maybe_executed, std::move(reply)};
}

}  // namespace holdfast
