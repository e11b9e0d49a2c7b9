// ProxyPipe: one connection through a link: the client's socket, the server's, and the two streams
// between them. Internal to the proxy; runs on its thread.
#pragma once

#include <uv.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "lockcore/hiredis/loop_core.h"
#include "scenarios/live/proxy.h"
#include "scenarios/live/resp_scanner.h"

namespace holdfast::live {

class ProxyPipe;

// What the pipes of one link share.
struct LinkState {
  struct Way {
    bool held = false;
    Duration delay{};
  };
  holdfast::detail::LoopCore* core = nullptr;
  Carries carries = Carries::commands;
  SocketAddress target;
  Way to_server, to_client;
  std::uint32_t drop = 0;  // replies still to be dropped
  bool then_reset = false;
  LinkCounters counters;
  std::set<ProxyPipe*> pipes;
  std::set<std::uint16_t> source_ports;
  // Told when a connection to the target failed or ended: it may be gone.
  std::function<void()> target_in_doubt;
};

// Owns itself: freed when both of its sockets have finished closing.
class ProxyPipe {
 public:
  // Takes the connection that waits at `listener` and connects to the target.
  static void accept(LinkState& link, uv_stream_t* listener);

  // Delivers what is no longer held or due.
  void pump();
  // Closes both sides; with RST when `reset`.
  void close(bool reset);
  void count_kept(LinkCounters& counters) const;

 private:
  struct Message {
    std::string bytes;
    Instant due{};
    bool end = false;    // the source has closed ...
    bool reset = false;  // ... with RST
  };
  struct Stream {
    uv_tcp_t* source;
    uv_tcp_t* sink;
    LinkState::Way* rules;
    LinkCounters::Way* counters;
    bool framed;
    bool ready = false;  // the sink can be written to
    std::string partial = {};
    RespScanner scanner = {};
    std::deque<Message> queue = {};
    holdfast::detail::LoopCore::Key timer = {};
  };

  explicit ProxyPipe(LinkState& link);

  void connect();
  void note_source_port();
  void start_reading(Stream& stream);
  void received(Stream& stream, std::string_view bytes);
  void ended(Stream& stream, bool reset);
  void enqueue(Stream& stream, Message message);
  bool dropped(const Stream& stream);
  void pump(Stream& stream);
  void deliver(Stream& stream, Message message);

  LinkState& link_;
  uv_tcp_t client_{};
  uv_tcp_t server_{};
  Stream to_server_;
  Stream to_client_;
  bool mute_ = false;  // a reply was dropped: none can follow it
  bool closing_ = false;
  int open_handles_ = 2;
};

}  // namespace holdfast::live
