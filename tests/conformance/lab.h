// Lab: the servers of one row and the clients' connections to them, in either world.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lockcore/redis_client.h"
#include "tests/conformance/row.h"

namespace holdfast::conformance {

// What came on a connection.
struct Answer {
  enum class Kind : std::uint8_t {
    reply,
    silence,  // nothing came within the patience
    closed,   // the server ended the connection
    refused,  // there is no server
  };
  Kind kind = Kind::silence;
  Reply reply = {};
  Duration at{};  // by the lab's clock
};

// Which way of a client's link.
enum class Way : std::uint8_t { to_server, to_client };

class Lab {
 public:
  Lab() = default;
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
  virtual ~Lab() = default;

  virtual bool exact() const = 0;  // nothing takes time but what the row says: simulated
  virtual Duration now() = 0;      // true time; the host's, or virtual
  virtual void sleep(Duration time) = 0;

  // -- clients
  // In one write.
  virtual void send(const Connection& connection, std::span<const Command> commands) = 0;
  // All but the command's last bytes.
  virtual void send_half(const Connection& connection, const Command& command) = 0;
  virtual Answer receive(const Connection& connection, Duration patience) = 0;
  // By the client, with FIN or with RST. Replies that were not read are gone.
  virtual void close(const Connection& connection, bool reset) = 0;
  // Whether it can be connected now: the kernel of the server accepts it.
  virtual bool connects(const Connection& connection) = 0;
  virtual void hold_link(const Connection& connection, Way way, bool held) = 0;
  virtual void drop_next_reply(const Connection& connection) = 0;  // and reset the connection

  // -- servers
  virtual void step_clock(std::string_view node, Duration by) = 0;
  virtual void set_clock_rate(std::string_view node, std::int64_t ppm) = 0;
  virtual void pause(std::string_view node, bool paused) = 0;
  virtual void kill(std::string_view node) = 0;
  // What is on the disk now survives a loss of power; what comes later is in the kernel's hands
  // until it is fsynced.
  virtual void note_synced(std::string_view node) = 0;
  virtual void lose_power(std::string_view node) = 0;
  // Of a dead server: its append-only file loses its last bytes.
  virtual void tear_file(std::string_view node, std::int64_t bytes) = 0;
  virtual void fail_saves(std::string_view node) = 0;  // RDB files can no longer be written
  virtual void restart(std::string_view node, Persistence persistence) = 0;
  virtual void promote(std::string_view node) = 0;
  virtual void follow(std::string_view node, std::string_view master) = 0;
  virtual void hold_stream(std::string_view replica, bool held) = 0;
  virtual void cut_stream(std::string_view replica, bool cut) = 0;
  virtual std::int64_t offset(std::string_view node) = 0;  // of replication
};

}  // namespace holdfast::conformance
