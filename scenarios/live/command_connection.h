// CommandConnection: blocking commands to one server, for set-up and proofs. Never used by clients.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "lockcore/time.h"

namespace holdfast::live {

class CommandConnection {
 public:
  CommandConnection(std::string host, std::uint16_t port);
  ~CommandConnection();
  CommandConnection(const CommandConnection&) = delete;
  CommandConnection& operator=(const CommandConnection&) = delete;

  // The reply, which may be an error reply; nothing when the server cannot be reached or does not
  // answer within `patience`. Connects when need be; after nothing, the next call connects anew.
  std::optional<Reply> try_ask(const Command& command, Duration patience);
  // Why the last try_ask() had nothing.
  const std::string& problem() const noexcept { return problem_; }
  void drop();

 private:
  struct Context;
  std::string host_;
  std::uint16_t port_;
  std::unique_ptr<Context> context_;
  std::string problem_;
};

// The value of "field:value" in a text as INFO answers it; empty when it is not there.
std::string info_field(std::string_view info, std::string_view field);

}  // namespace holdfast::live
