// Connection: one TCP connection of a client to a served node: bytes in, requests, replies, bytes
// out. It belongs to the front, which tells it what faults do to its address.
#pragma once

#include <uv.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "scenarios/serve/address.h"
#include "scenarios/serve/delay_line.h"
#include "scenarios/serve/request_parser.h"
#include "sim/redis/server.h"

namespace holdfast::serve {

class Front;

class Connection {
 public:
  // No more requests are read while so much of the answers has not been taken by the client.
  static constexpr std::size_t kBackPressure = std::size_t{1} << 20;

  Connection(Front& front, Address& address, std::uint64_t number);
  ~Connection() = default;  // by the front, when the socket has closed
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Takes the connection that waits at `listener`. False: there was none; the socket is closing.
  bool accept(uv_stream_t* listener);
  void start();  // reads from now on

  std::uint64_t number() const { return number_; }  // of the whole run, from 1
  Address& address() const { return address_; }
  std::string peer() const;  // "127.0.0.1:40312"
  bool open() const { return state_ == State::open; }

  void reply(const Reply& reply);
  // Beside the answers: nothing but its size can stop it (client-output-buffer-limit pubsub 32mb).
  void push(const Reply& message);
  // The client is told nothing more on this connection: a stream cannot skip a reply.
  void mute() { muted_ = true; }
  bool muted() const { return muted_; }
  void send(std::string_view bytes);  // as they are
  void flush();                       // what reply() has collected goes out
  void faults_changed();              // holds and delays of the address, or the node's state

  void close_when_sent();
  void close() { end(false); }
  void reset() { end(true); }  // with RST

  sim::SessionId session = 0;  // 0: none
  bool waits_for_flush = false;

 private:
  enum class State : std::uint8_t { open, finishing, closing };

  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&socket_); }
  static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer);
  static void on_written(uv_write_t* write, int status);
  static void on_request_due(void* self, std::uint64_t);
  static void on_reply_due(void* self, std::uint64_t);
  void received(std::string_view bytes);
  void client_ended();
  void run_requests();
  bool may_run() const;
  void update_reading();
  std::size_t unsent() const {
    return out_.size() + late_.bytes() + ready_.size() + writing_.size();
  }
  void send_off();
  void write_ready();
  void end(bool with_reset);

  Front& front_;
  Address& address_;
  std::uint64_t number_;
  uv_tcp_t socket_{};
  uv_write_t write_{};
  State state_ = State::open;
  bool accepted_ = false;
  bool reading_ = false;
  bool muted_ = false;
  bool client_ended_ = false;
  DelayLine early_;  // what came and has not reached the server
  RequestParser parser_;
  std::string out_;      // answered
  DelayLine late_;       // on its way
  std::string ready_;    // has reached the client's end
  std::string writing_;  // handed to the loop
};

}  // namespace holdfast::serve
