#include "scenarios/workload/guarded_resource.h"

#include <charconv>
#include <memory>
#include <utility>

namespace holdfast::workload {
namespace {

// KEYS: value, log, highest token. ARGV: "w" or "r", fenced, token, value, grant.
// The token is compared from the first access on, reads included: a reader with an old token must
// not base a later write on what it saw.
constexpr std::string_view kAccessBody = R"lua(
local entry = ' ' .. ARGV[5] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4]
if ARGV[2] == '1' then
  local highest = tonumber(redis.call('get', KEYS[3]) or '0')
  local token = tonumber(ARGV[3])
  if token < highest then
    redis.call('rpush', KEYS[2], ARGV[1] .. '0' .. entry)
    return {0, redis.call('get', KEYS[1])}
  end
  if token > highest then redis.call('set', KEYS[3], ARGV[3]) end
end
if ARGV[1] == 'w' then redis.call('set', KEYS[1], ARGV[4]) end
redis.call('rpush', KEYS[2], ARGV[1] .. '1' .. entry)
return {1, redis.call('get', KEYS[1])}
)lua";
constexpr std::string_view kAccessSha1 = "041aef1b28982a24001465c8942bc0407a36fc16";

Command access_command(std::string_view verb, std::string_view script, const std::string& resource,
                       const Access& access) {
  constexpr std::size_t kRest = 96;  // suffixes, flags and three numbers
  Command command;
  command.reserve(verb.size() + script.size() + 3 * resource.size() + kRest);
  command.add(verb).add(script).add("3").add(resource).add(log_key(resource));
  command.add(resource + ":token").add(access.write ? "w" : "r").add(access.fenced ? "1" : "0");
  command.add(access.fencing_token).add(access.value);
  command.add(static_cast<std::int64_t>(access.grant));
  return command;
}

}  // namespace

std::string_view access_script() { return kAccessBody; }
std::string_view access_script_sha1() { return kAccessSha1; }

std::string log_key(std::string_view resource) { return std::string(resource) + ":log"; }

Task<AccessResult> access_resource(Env& env, Endpoint server, std::string resource, Access access,
                                   Instant deadline) {
  auto client = env.connect(server, Role::commands);
  Command by_sha1 = access_command("EVALSHA", kAccessSha1, resource, access);
  CallResult result = co_await Call(*client, std::move(by_sha1), deadline);
  if (result.known == Known::not_executed && result.reply.text.starts_with("NOSCRIPT")) {
    Command by_source = access_command("EVAL", kAccessBody, resource, access);
    result = co_await Call(*client, std::move(by_source), deadline);
  }
  AccessResult answer;
  if (result.answered() && result.reply.elements.size() == 2) {
    answer.accepted = result.reply.elements[0].integer;
    const std::string& text = result.reply.elements[1].text;
    std::from_chars(text.data(), text.data() + text.size(), answer.value);
  }
  co_return answer;
}

std::optional<LoggedAccess> parse_logged_access(std::string_view element) {
  if (element.size() < 3 || (element[0] != 'w' && element[0] != 'r')) return std::nullopt;
  LoggedAccess access;
  access.write = element[0] == 'w';
  access.accepted = element[1] == '1';
  const char* end = element.data() + element.size();
  const char* next = element.data() + 3;
  std::int64_t numbers[3] = {0, 0, 0};
  for (auto& number : numbers) {
    const auto [stop, error] = std::from_chars(next, end, number);
    if (error != std::errc()) return std::nullopt;
    next = stop == end ? stop : stop + 1;
  }
  access.grant = static_cast<history::GrantId>(numbers[0]);
  access.fencing_token = numbers[1];
  access.value = numbers[2];
  return access;
}

}  // namespace holdfast::workload
