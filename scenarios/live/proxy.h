// Proxy: the links of a live run that the scenario disturbs. Each link is a TCP port of 127.0.0.1
// that leads to one server; give every pair of client and node address, and every replication link,
// a port of its own.
//
// The proxy runs a thread of its own. A link's functions may be called from any thread and have
// taken effect when they return; links are opened by one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/model.h"
#include "scenarios/live/proof.h"
#include "scenarios/live/server_address.h"

namespace holdfast::live {

enum class Carries : std::uint8_t {
  commands,     // whole requests and replies are counted, held, delayed, dropped
  replication,  // bytes: a snapshot is not made of replies
};

// to_server: from whoever connected (a client, or a replica) to the target.
using Direction = scenario::FaultSpec::Direction;

struct LinkCounters {
  struct Way {
    std::uint64_t messages = 0;  // delivered; pieces of bytes on a replication link
    std::uint64_t bytes = 0;     // delivered
    std::uint64_t held = 0;      // messages that met a hold, so far
    std::uint64_t kept = 0;      // messages that wait now, for a hold or a delay
    std::uint64_t kept_bytes = 0;
  };
  Way to_server, to_client;
  std::uint64_t connections = 0;  // accepted so far
  std::uint64_t open = 0;         // now
  std::uint64_t resets = 0;       // connections that the link has reset
  std::uint64_t dropped = 0;      // replies that the client was never told
};

class ProxyLink {
 public:
  virtual ~ProxyLink() = default;
  virtual const std::string& name() const = 0;
  virtual std::uint16_t port() const = 0;  // where to connect

  // Keeps what comes, the end of a connection included, and delivers it in order at release(). New
  // connections are accepted, as by a network that swallows packets.
  virtual Proof hold(Direction direction) = 0;
  virtual Proof release(Direction direction) = 0;
  // Resets what is connected and refuses new connections (proved by a connect that is refused).
  virtual Proof refuse() = 0;
  virtual Proof accept() = 0;
  // Resets (RST) what is connected. What had reached the server is executed, its reply is lost.
  virtual Proof reset() = 0;
  // From now on every message takes this much longer; zero ends it. Order stays.
  virtual Proof delay(Direction direction, Duration extra) = 0;
  // The next `count` replies are not delivered; after the last the connection is reset when
  // `then_reset`. A stream cannot skip bytes: without reset, no later reply of that connection is
  // delivered either (and each counts as dropped), while its requests still reach the server.
  virtual void drop_replies(std::uint32_t count, bool then_reset) = 0;
  // Leads to another server from now on; what is connected is reset.
  virtual Proof retarget(std::uint16_t port) = 0;

  virtual LinkCounters counters() const = 0;
  // The local ports from which this link has connected to its targets: what a server takes for the
  // client's.
  virtual std::set<std::uint16_t> source_ports() const = 0;
};

class Proxy {
 public:
  Proxy();
  ~Proxy();  // closes all links
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // A new link to `target`, on a free port of 127.0.0.1. Lives as long as the proxy. While nobody
  // listens at the target, the link refuses connections as the target itself would.
  ProxyLink& open(std::string name, const SocketAddress& target, Carries carries);
  ProxyLink& open(std::string name, std::uint16_t target, Carries carries) {  // of 127.0.0.1
    return open(std::move(name), SocketAddress::loopback(target), carries);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::live
