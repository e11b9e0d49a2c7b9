#include "scenarios/live/free_port.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenarios/live/environment_failure.h"

namespace holdfast::live {

std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail_with_errno("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound = bind(fd, generic, length) == 0 && getsockname(fd, generic, &length) == 0;
  close(fd);
  if (!bound) fail_with_errno("no free port on 127.0.0.1");
  return ntohs(address.sin_port);
}

}  // namespace holdfast::live
