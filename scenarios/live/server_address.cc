#include "scenarios/live/server_address.h"

#include <netdb.h>

#include <charconv>
#include <cstring>
#include <optional>

#include "scenarios/live/environment_failure.h"

namespace holdfast::live {
namespace {

std::optional<ServerAddress> parse_one(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!bracketed && host.find(':') != std::string_view::npos) return std::nullopt;
  ServerAddress address{std::string(host), 0};
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  if (!whole || address.port == 0) return std::nullopt;
  return address;
}

}  // namespace

std::variant<std::vector<ServerAddress>, std::string> parse_server_addresses(
    std::string_view text) {
  std::vector<ServerAddress> addresses;
  for (;;) {
    const auto comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    const auto address = parse_one(one);
    if (!address) return "'" + std::string(one) + "': expected host:port";
    addresses.push_back(*address);
    if (comma == std::string_view::npos) return addresses;
    text = text.substr(comma + 1);
  }
}

SocketAddress SocketAddress::loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  SocketAddress result;
  std::memcpy(&result.storage, &address, sizeof address);
  result.length = sizeof address;
  return result;
}

SocketAddress resolve(const ServerAddress& address) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found);
  if (error != 0) {
    throw EnvironmentFailure("cannot resolve " + address.text() + ": " + gai_strerror(error));
  }
  SocketAddress result;
  std::memcpy(&result.storage, found->ai_addr, found->ai_addrlen);
  result.length = found->ai_addrlen;
  freeaddrinfo(found);
  return result;
}

bool same_server(const ServerAddress& a, const ServerAddress& b) {
  if (a == b) return true;
  if (a.port != b.port) return false;
  try {
    const SocketAddress first = resolve(a);
    const SocketAddress second = resolve(b);
    return first.length == second.length &&
           std::memcmp(&first.storage, &second.storage, first.length) == 0;
  } catch (const EnvironmentFailure&) {
    return false;
  }
}

}  // namespace holdfast::live
