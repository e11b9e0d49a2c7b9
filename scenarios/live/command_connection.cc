#include "scenarios/live/command_connection.h"

#include <hiredis/hiredis.h>

#include <utility>
#include <vector>

#include "lockcore/hiredis/reply_conversion.h"
#include "lockcore/hiredis/sigpipe_guard.h"
#include "lockcore/hiredis/socket_options.h"

namespace holdfast::live {
namespace {

timeval to_timeval(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(duration - seconds);
  return {static_cast<time_t>(seconds.count()), static_cast<suseconds_t>(rest.count())};
}

}  // namespace

struct CommandConnection::Context {
  redisContext* connection;
  explicit Context(redisContext* connected) : connection(connected) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { redisFree(connection); }
};

CommandConnection::CommandConnection(std::string host, std::uint16_t port)
    : host_(std::move(host)), port_(port) {}

CommandConnection::~CommandConnection() = default;

void CommandConnection::drop() { context_.reset(); }

std::optional<Reply> CommandConnection::try_ask(const Command& command, Duration patience) {
  const detail::SigpipeGuard no_sigpipe;
  const timeval limit = to_timeval(patience);
  if (!context_) {
    redisContext* const connected = redisConnectWithTimeout(host_.c_str(), port_, limit);
    if (connected == nullptr || connected->err != 0) {
      problem_ = connected == nullptr ? "out of memory" : connected->errstr;
      redisFree(connected);
      return std::nullopt;
    }
    detail::set_socket_options(connected->fd);
    context_ = std::make_unique<Context>(connected);
  }
  redisSetTimeout(context_->connection, limit);
  std::vector<const char*> arguments;
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < command.size(); ++i) {
    arguments.push_back(command[i].data());
    lengths.push_back(command[i].size());
  }
  auto* const answer = static_cast<redisReply*>(redisCommandArgv(
      context_->connection, static_cast<int>(arguments.size()), arguments.data(), lengths.data()));
  if (answer == nullptr) {
    problem_ = context_->connection->errstr;
    drop();
    return std::nullopt;
  }
  Reply reply = detail::convert(*answer);
  freeReplyObject(answer);
  return reply;
}

std::string info_field(std::string_view info, std::string_view field) {
  while (!info.empty()) {
    const std::string_view line = info.substr(0, info.find('\n'));
    info.remove_prefix(std::min(info.size(), line.size() + 1));
    if (line.size() <= field.size() || !line.starts_with(field) || line[field.size()] != ':') {
      continue;
    }
    std::string_view value = line.substr(field.size() + 1);
    if (value.ends_with('\r')) value.remove_suffix(1);
    return std::string(value);
  }
  return {};
}

}  // namespace holdfast::live
