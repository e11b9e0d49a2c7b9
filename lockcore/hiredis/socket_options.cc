#include "lockcore/hiredis/socket_options.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace holdfast::detail {
namespace {

void set(int fd, int level, int option, int value) noexcept {
  // A refusal costs latency or a late notice, not correctness.
  static_cast<void>(setsockopt(fd, level, option, &value, sizeof value));
}

}  // namespace

void set_socket_options(int fd) noexcept {
  // Children that a client process starts must not keep its connections open.
  static_cast<void>(fcntl(fd, F_SETFD, FD_CLOEXEC));
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

}  // namespace holdfast::detail
