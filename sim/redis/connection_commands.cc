// Commands about the connection as such: who is it, which protocol does it speak, is it there.
#include <optional>
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::string_view kWrongPassword =
    "WRONGPASS invalid username-password pair or user is disabled.";

// A RESP2 subscriber gets it in the form of a message.
void ping(Execution& run) {
  if (run.size() > 2) return run.wrong_arity();
  const std::string_view text = run.size() == 2 ? run[1] : std::string_view();
  if (run.session != 0 && run.client().is(kSubscribed) && !run.client().resp3) {
    run.reply = Reply::array({Reply::bulk("pong"), Reply::bulk(text)});
    return;
  }
  run.size() == 2 ? run.bulk(text) : run.status("PONG");
}

void echo(Execution& run) { run.bulk(run[1]); }

void quit(Execution& run) {
  run.client().modes |= kCloses;
  run.ok();
}

void reset(Execution& run) {
  run.server.make_plain(run.session);
  run.status("RESET");
}

// There is one user, "default".
bool fits(Execution& run, std::string_view user, std::string_view password) {
  const std::string& wanted = run.server.config().text(Setting::requirepass);
  const bool right = user == "default" && (wanted.empty() || password == wanted);
  if (!right) {
    run.error(kWrongPassword);
    return false;
  }
  run.client().modes &= ~kNotAuthenticated;
  return true;
}

void auth(Execution& run) {
  if (run.size() > 3) return run.syntax_error();
  if (run.size() == 2 && run.server.config().text(Setting::requirepass).empty()) {
    return run.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  const bool named = run.size() == 3;
  if (fits(run, named ? run[1] : "default", run[named ? 2 : 1])) run.ok();
}

struct HelloOptions {
  std::int64_t protocol = 0;  // 0: as before
  std::size_t user = 0;       // index of the argument; the password follows. 0: not given
  std::size_t name = 0;
};

bool read_hello(Execution& run, HelloOptions& options) {
  if (run.size() == 1) return true;
  const auto protocol = parse_integer(run[1]);
  if (!protocol) {
    run.error("ERR Protocol version is not an integer or out of range");
    return false;
  }
  if (*protocol != 2 && *protocol != 3) {
    run.error("NOPROTO unsupported protocol version");
    return false;
  }
  options.protocol = *protocol;
  for (std::size_t i = 2; i < run.size(); ++i) {
    const std::size_t more = run.size() - 1 - i;
    if (same_word(run[i], "auth") && more >= 2) {
      options.user = i + 1;
      i += 2;
    } else if (same_word(run[i], "setname") && more >= 1) {
      options.name = ++i;
      if (!run.client_name(run[i])) return false;
    } else {
      run.error("ERR Syntax error in HELLO option '" + std::string(run[i]) + "'");
      return false;
    }
  }
  return true;
}

void describe_server(Execution& run) {
  run.reply.type = Reply::Type::map;
  run.element("server");
  const VersionTraits& version = run.server.version();
  const bool valkey = !version.valkey_version.empty();
  run.element(valkey ? "valkey" : "redis");
  run.element("version");
  run.element(valkey ? version.valkey_version : version.redis_version);
  run.element("proto");
  run.reply.elements.push_back(Reply::number(run.client().resp3 ? 3 : 2));
  run.element("id");
  run.reply.elements.push_back(Reply::number(run.session));
  run.element("mode");
  run.element(run.server.cluster() != nullptr ? "cluster" : "standalone");
  run.element("role");
  run.element(run.data.master() ? "master" : "replica");
  run.element("modules");
  run.reply.elements.push_back(Reply::array({}));
}

void hello(Execution& run) {
  HelloOptions options;
  if (!read_hello(run, options)) return;
  if (options.user != 0 && !fits(run, run[options.user], run[options.user + 1])) return;
  Session& session = run.client();
  if (session.is(kNotAuthenticated) && !run.server.config().text(Setting::requirepass).empty()) {
    return run.error(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
        "AUTH <user> <pass> option can be used to authenticate the client and select the RESP "
        "protocol version at the same time");
  }
  if (options.name != 0) session.name = run[options.name];
  if (options.protocol != 0) session.resp3 = options.protocol == 3;
  describe_server(run);
}

void whoami(Execution& run) { run.bulk("default"); }

void users(Execution& run) {
  run.array();
  run.element("default");
}

// FID-W1 to W6.
void wait(Execution& run) {
  if (!run.data.master()) {
    return run.error(
        "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
        "a replica is configured to be writable (which is not the default) writes to replicas are "
        "just local and are not propagated.");
  }
  std::int64_t need = 0;
  if (!run.integer(1, need)) return;
  const auto timeout = parse_integer(run[2]);
  if (!timeout) return run.error("ERR timeout is not an integer or out of range");
  if (*timeout < 0) return run.error("ERR timeout is negative");
  Replication& replication = run.server.replication();
  const std::int64_t offset = run.client().replicated_up_to;
  const std::int64_t acked = replication.acked(offset);
  if (acked >= need || run.in_transaction) return run.number(acked);
  run.deferred = true;
  run.server.waiting().add(run.session, offset, need, *timeout);
  replication.request_acks();
}

constexpr std::uint32_t kAnyState = kLoading | kStale;
constexpr std::uint32_t kBeforeAuth = kNotInScript | kAnyState | kFast | kNoAuth | kAllowBusy;
constexpr CommandSpec kConnectionCommands[] = {
    {"ping", -1, kFast | kInSubscriber, 0, 0, 0, ping},
    {"echo", 2, kAnyState | kFast, 0, 0, 0, echo},
    {"quit", -1, kBeforeAuth | kNotQueued | kInSubscriber, 0, 0, 0, quit},
    {"reset", 1, kBeforeAuth | kNotQueued | kInSubscriber, 0, 0, 0, reset},
    {"auth", -2, kBeforeAuth, 0, 0, 0, auth},
    {"hello", -1, kBeforeAuth, 0, 0, 0, hello},
    {"acl", -2, kContainer, 0, 0, 0, nullptr},
    {"acl|whoami", 2, kNotInScript | kAnyState, 0, 0, 0, whoami},
    {"acl|users", 2, kNotInScript | kAnyState | kAdmin, 0, 0, 0, users},
    {"wait", 3, kNotInScript, 0, 0, 0, wait},
};

}  // namespace

std::span<const CommandSpec> connection_commands() { return kConnectionCommands; }

}  // namespace holdfast::sim::redis
