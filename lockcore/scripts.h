// Scripts: the Lua that the lock runs inside Redis, and how it is run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "lockcore/task.h"
#include "lockcore/time.h"

namespace holdfast {

struct Script {
  std::string_view source;
  std::string_view sha1;  // of the source, 40 hex digits
};

// KEYS[1] the lock, KEYS[2] (optional) its fencing counter; ARGV[1] attempt token "id:n", ARGV[2]
// "id:", ARGV[3] TTL in ms. Sets the key with a fresh TTL when it is absent or holds an *earlier*
// attempt of the same id (DESIGN §4.2): a script of an earlier attempt that arrives late does not
// take the key back. Answers 0 when another owner or a later attempt holds it, else 1, or with a
// counter its new value (> 0). The counter is raised first: a script has no rollback, and a number
// that nobody got harms nobody.
extern const Script kAcquireScript;

// KEYS[1] the lock; ARGV[1] attempt token, ARGV[2] TTL in ms. A fresh TTL when the key holds
// exactly this token. Answers 1; 0 when the key is absent; -1 when it holds another token.
extern const Script kExtendScript;

// KEYS[1] the lock; ARGV[1] attempt token. Deletes the key when it holds exactly this token.
// Answers 1; 0 when the key is absent; -1 when it holds another token.
extern const Script kReleaseScript;

// The key of a lock's fencing counter: one a lock key, without TTL, in the same hash slot: the
// key + ":fence" when the key has a hash tag, else "{key}:fence". A key that holds '}' but no tag
// has no name in its own slot; single instances, the only ones with fencing, do not care.
std::string fence_key(std::string_view key);

// A script with its keys and arguments. Unused ones stay empty and are not sent. The texts outlive
// the call: they belong to the acquisition that makes it.
struct ScriptCall {
  const Script* script = nullptr;
  std::array<std::string_view, 2> keys = {};
  std::array<std::string_view, 3> arguments = {};
};
Command as_evalsha(const ScriptCall& call);
Command as_eval(const ScriptCall& call);

// Acknowledgements of replicas to WAIT for behind a write; none: no WAIT is sent.
struct Replication {
  int replicas = 0;
  std::int64_t timeout_ms = 1;  // of WAIT at the node
};

struct Written {
  CallResult result = {};
  int acknowledged = 0;  // replicas, as far as WAIT answered in time
};

// Sends one write, and WAIT right behind it on the same connection when `replication` asks for it:
// WAIT counts for its own connection's last write only (FID-W1).
Task<Written> write(RedisClient& client, Command command, Replication replication, Instant deadline,
                    LateReply late);

// Who sends a script: asked again before each sending. What has been given up meanwhile (its
// release is queued already) must not be sent behind its own release.
class Sender {
 public:
  virtual bool may_send() const = 0;

 protected:
  ~Sender() = default;
};
struct UntilTheDeadline final : Sender {
  bool may_send() const override { return true; }
};
inline constexpr UntilTheDeadline kUntilTheDeadline;

// write() of a script by its SHA-1; when the node does not know it, by its source, within the same
// deadline and if `sender`, which outlives the call, still may.
Task<Written> eval(RedisClient& client, ScriptCall call, Replication replication, Instant deadline,
                   LateReply late, const Sender& sender);

}  // namespace holdfast
