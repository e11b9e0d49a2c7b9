#include "lockcore/scripts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace holdfast {

const Script kAcquireScript = {R"lua(local held = redis.call('GET', KEYS[1])
if held then
  local id = ARGV[2]
  if string.sub(held, 1, #id) ~= id then return 0 end
  if tonumber(string.sub(held, #id + 1)) >= tonumber(string.sub(ARGV[1], #id + 1)) then return 0 end
end
local fence = 1
if KEYS[2] then fence = redis.call('INCR', KEYS[2]) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return fence
)lua",
                               "ae81d885aa82b57e2bb2cb60b84c762498da9829"};

const Script kExtendScript = {R"lua(local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if held then return -1 end
return 0
)lua",
                              "ded970c88c4ce2b70df804d04613bbe82b31e0d4"};

const Script kReleaseScript = {R"lua(local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then return redis.call('DEL', KEYS[1]) end
if held then return -1 end
return 0
)lua",
                               "362ef267c1435f9f9e03ab1b78d088b2c34ee861"};

std::string fence_key(std::string_view key) {
  constexpr std::string_view kSuffix = ":fence";
  const std::size_t open = key.find('{');
  const std::size_t close = open == key.npos ? key.npos : key.find('}', open);
  const bool tagged = close != key.npos && close > open + 1;
  std::string name;
  name.reserve(key.size() + 2 + kSuffix.size());
  if (tagged) return name.append(key).append(kSuffix);
  return name.append("{").append(key).append("}").append(kSuffix);
}

namespace {

Command build(std::string_view verb, std::string_view script, const ScriptCall& call) {
  constexpr std::array<std::string_view, 3> kCounts = {"0", "1", "2"};
  std::size_t bytes = verb.size() + script.size() + 1;
  std::size_t keys = 0;
  for (auto key : call.keys) {
    bytes += key.size();
    if (!key.empty()) ++keys;
  }
  for (auto argument : call.arguments) bytes += argument.size();

  Command command;
  command.reserve(bytes);
  command.add(verb).add(script).add(kCounts[keys]);
  for (auto key : call.keys) {
    if (!key.empty()) command.add(key);
  }
  for (auto argument : call.arguments) {
    if (!argument.empty()) command.add(argument);
  }
  return command;
}

bool unknown_script(const CallResult& result) {
  return result.known == Known::not_executed && result.reply.text.starts_with("NOSCRIPT");
}

}  // namespace

Command as_evalsha(const ScriptCall& call) { return build("EVALSHA", call.script->sha1, call); }
Command as_eval(const ScriptCall& call) { return build("EVAL", call.script->source, call); }

Task<Written> write(RedisClient& client, Command command, Replication replication, Instant deadline,
                    LateReply late) {
  Written written;
  if (replication.replicas == 0) {
    written.result = co_await Call(client, std::move(command), deadline, std::move(late));
    co_return written;
  }
  std::vector<Command> commands;
  commands.reserve(2);
  commands.push_back(std::move(command));
  commands.emplace_back().add("WAIT").add(replication.replicas).add(replication.timeout_ms);
  auto results = co_await Pipeline(client, std::move(commands), deadline, std::move(late));
  written.result = std::move(results[0]);
  const Reply& acknowledged = results[1].reply;
  if (results[1].answered() && acknowledged.type == Reply::Type::integer) {
    written.acknowledged =
        static_cast<int>(std::clamp<std::int64_t>(acknowledged.integer, 0, 1'000'000));
  }
  co_return written;
}

Task<Written> eval(RedisClient& client, ScriptCall call, Replication replication, Instant deadline,
                   LateReply late, const Sender& sender) {
  Command by_sha = as_evalsha(call);
  LateReply late_again = late;
  Written written =
      co_await write(client, std::move(by_sha), replication, deadline, std::move(late));
  if (unknown_script(written.result) && sender.may_send()) {
    Command by_source = as_eval(call);
    written =
        co_await write(client, std::move(by_source), replication, deadline, std::move(late_again));
  }
  co_return written;
}

}  // namespace holdfast
