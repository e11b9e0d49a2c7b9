#include "scenarios/serve/address.h"

#include <netinet/in.h>

#include <system_error>
#include <utility>

namespace holdfast::serve {
namespace {

constexpr int kBacklog = 511;  // as redis-server

}  // namespace

Address::Address(uv_loop_t& loop, std::string name, history::NodeId behind, std::uint16_t port,
                 std::function<void(uv_stream_t*)> arrived)
    : node(behind), loop_(loop), name_(std::move(name)), port_(port), arrived_(std::move(arrived)) {
  bind();
  try {
    listen(true);
  } catch (...) {
    close();
    throw;
  }
}

Address::~Address() { close(); }

void Address::bind() {
  sockaddr_in address{};
  uv_ip4_addr("127.0.0.1", port_, &address);
  socket_ = new uv_tcp_t;
  uv_tcp_init(&loop_, socket_);
  socket_->data = this;
  listening_ = false;
  uv_tcp_bind(socket_, reinterpret_cast<sockaddr*>(&address), 0);  // errors show at listen()
}

void Address::close() {
  uv_close(reinterpret_cast<uv_handle_t*>(std::exchange(socket_, nullptr)),
           [](uv_handle_t* handle) { delete reinterpret_cast<uv_tcp_t*>(handle); });
}

void Address::listen(bool on) {
  if (on == listening_) return;
  if (!on) {
    // Bound it keeps the port and refuses.
    close();
    return bind();
  }
  const auto waits = [](uv_stream_t* socket, int status) {
    if (status == 0) static_cast<Address*>(socket->data)->arrived_(socket);
  };
  const int result = uv_listen(reinterpret_cast<uv_stream_t*>(socket_), kBacklog, waits);
  if (result < 0) {
    throw std::system_error(-result, std::generic_category(),
                            "port " + std::to_string(port_) + " for " + name_);
  }
  listening_ = true;
  sockaddr_in address{};
  int length = sizeof address;
  uv_tcp_getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
}

}  // namespace holdfast::serve
