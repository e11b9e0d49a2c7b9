// Addresses of servers: as people write them, and resolved for sockets.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace holdfast::live {

struct ServerAddress {
  std::string host;  // a name, an IPv4 or an IPv6 number
  std::uint16_t port = 0;

  std::string text() const {
    const bool number = host.find(':') != std::string::npos;  // of IPv6
    return (number ? "[" + host + "]" : host) + ":" + std::to_string(port);
  }
  friend bool operator==(const ServerAddress&, const ServerAddress&) = default;
};

// "host:port,host:port"; "[::1]:6379" for IPv6. The addresses, or what is wrong.
std::variant<std::vector<ServerAddress>, std::string> parse_server_addresses(std::string_view text);

// IPv4 or IPv6, for connect(2).
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  static SocketAddress loopback(std::uint16_t port);
};

// Asks the resolver when the host is a name. Throws EnvironmentFailure when it knows none.
SocketAddress resolve(const ServerAddress& address);

// Whether both names lead to one address and port. Names that lead nowhere are different.
bool same_server(const ServerAddress& a, const ServerAddress& b);

}  // namespace holdfast::live
