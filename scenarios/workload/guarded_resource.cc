#include "scenarios/workload/guarded_resource.h"

#include <charconv>
#include <memory>

#include "lockcore/scripts.h"

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

}  // namespace

std::string log_key(std::string_view resource) { return std::string(resource) + ":log"; }

Task<AccessResult> access_resource(Env& env, Endpoint server, std::string resource, Access access,
                                   Instant deadline) {
  static const Script script = make_script(kAccessBody);
  auto client = env.connect(server, Role::commands);
  Command arguments;
  arguments.add("3").add(resource).add(log_key(resource)).add(resource + ":token");
  arguments.add(access.write ? "w" : "r").add(access.fenced ? "1" : "0");
  arguments.add(access.fencing_token).add(access.value);
  arguments.add(static_cast<std::int64_t>(access.grant));
  CallResult result = co_await eval(*client, script, std::move(arguments), deadline, LateReply());
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
