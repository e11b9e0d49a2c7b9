// libFuzzer: whole sequences of commands against the simulated server, from three connections, with
// time going on between them: nothing crashes it, and each command that can be answered at once is.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "scenarios/serve/reply_writer.h"
#include "scenarios/serve/request_parser.h"
#include "sim/kernel.h"
#include "sim/redis/nobody_watches.h"
#include "sim/redis/server.h"

namespace holdfast::sim {
namespace {

class Clients final : public ServerHost, public NobodyWatches {
 public:
  void send_reply(SessionId, Reply reply) override { write(reply); }
  void send_push(SessionId, Reply message) override { write(message); }
  void close_session(SessionId) override {}
  Duration replication_delay(history::NodeId, history::NodeId) override { return {}; }

 private:
  void write(const Reply& reply) {
    bytes_.clear();
    serve::write_reply(bytes_, reply);
  }
  std::string bytes_;
};

// Each request is preceded by a byte: whose it is, and how long after the one before.
void play(std::string_view bytes) {
  Kernel kernel;
  Clients clients;
  RedisServer server(kernel, clients, clients);
  kernel.reset(1);
  ServerOptions options;
  options.name = "n1";
  options.node = 1;
  server.reset(options, Clock(std::chrono::hours(24 * 365 * 50), 0));
  SessionId sessions[3] = {};
  for (SessionId& session : sessions) session = server.open_session(1);
  serve::RequestParser parser;
  while (bytes.size() > 1) {
    const auto how = static_cast<unsigned char>(bytes[0]);
    const std::size_t end = std::min(bytes.find('\0', 1), bytes.size());
    parser.append(bytes.substr(1, end - 1));
    parser.append("\n");
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    Command command;
    while (parser.next(command) == serve::RequestParser::Result::command) {
      server.receive(sessions[how % 3U], std::move(command));
    }
    if (!parser.error().empty() || !server.running()) return;
    kernel.advance(kernel.now() + std::chrono::milliseconds(how / 3U * 7));
  }
}

}  // namespace
}  // namespace holdfast::sim

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holdfast::sim::play({reinterpret_cast<const char*>(data), size});
  return 0;
}
