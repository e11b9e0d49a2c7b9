#include "tests/conformance/real_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "scenarios/live/proof.h"
#include "scenarios/live/server_address.h"

namespace holdfast::conformance {
namespace {

Duration since_boot() { return live::host_now().time_since_epoch(); }

}  // namespace

RealConnection::RealConnection(std::uint16_t port) {
  const live::SocketAddress address = live::SocketAddress::loopback(port);
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket_, address.get(), address.length) == 0) return;
  ::close(socket_);
  socket_ = -1;
}

RealConnection::~RealConnection() {
  if (socket_ >= 0) ::close(socket_);
}

bool RealConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Answer RealConnection::receive(Duration patience) {
  const Duration end = since_boot() + patience;
  while (true) {
    if (auto reply = reader_.next()) return {Answer::Kind::reply, *std::move(reply), since_boot()};
    if (reader_.malformed()) return {Answer::Kind::closed, {}, since_boot()};
    const Duration left = std::max<Duration>(end - since_boot(), Duration());
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    pollfd wanted{socket_, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(milliseconds));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return {Answer::Kind::silence, {}, since_boot()};
    std::array<char, 16384> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
    if (got <= 0) return {Answer::Kind::closed, {}, since_boot()};
    reader_.feed({buffer.data(), static_cast<std::size_t>(got)});
  }
}

void RealConnection::reset() {
  const linger at_once{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace holdfast::conformance
