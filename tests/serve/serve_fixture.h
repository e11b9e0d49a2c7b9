// A served cluster of a master and a replica, and clients of it.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <string>
#include <vector>

#include "scenarios/serve/loopback_server.h"
#include "tests/serve/tcp_client.h"

namespace holdfast::serve::test {

inline constexpr std::string_view kMasterAndReplica = R"({ "holdfast": 1, "name": "pair",
  "shows": "a master and its replica",
  "servers": { "n1": {}, "n1r": { "replica_of": "n1" } },
  "lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "10s" },
  "clients": { "A": [ { "acquire": "jobs/42" }, { "release": "jobs/42" } ] } })";

// A client of hiredis; answers as text: "OK", "(nil)", ":1", "-ERR ...".
class Client {
 public:
  explicit Client(std::uint16_t port) : context_(redisConnect("127.0.0.1", port)) {
    redisSetTimeout(context_, {20, 0});
  }
  ~Client() { redisFree(context_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  std::string ask(const std::vector<std::string>& words) {
    std::vector<const char*> data;
    std::vector<std::size_t> sizes;
    for (const auto& word : words) {
      data.push_back(word.data());
      sizes.push_back(word.size());
    }
    auto* const reply = static_cast<redisReply*>(
        redisCommandArgv(context_, static_cast<int>(words.size()), data.data(), sizes.data()));
    if (reply == nullptr) return std::string("lost: ") + context_->errstr;
    const std::string text = show(*reply);
    freeReplyObject(reply);
    return text;
  }
  // SET key token NX PX ttl
  std::string acquire(const std::string& key, const std::string& token,
                      const std::string& ttl = "10000") {
    return ask({"SET", key, token, "NX", "PX", ttl});
  }
  std::string release(const std::string& key, const std::string& token) {
    return ask({"EVAL",
                "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) "
                "else return 0 end",
                "1", key, token});
  }

 private:
  static std::string show(const redisReply& reply) {
    switch (reply.type) {
      case REDIS_REPLY_NIL:
        return "(nil)";
      case REDIS_REPLY_INTEGER:
        return ":" + std::to_string(reply.integer);
      case REDIS_REPLY_ERROR:
        return "-" + std::string(reply.str, reply.len);
      case REDIS_REPLY_ARRAY:
        return "(" + std::to_string(reply.elements) + " elements)";
      default:
        return {reply.str, reply.len};
    }
  }
  redisContext* context_;
};

}  // namespace holdfast::serve::test
