// What we ask of a connection's socket.
#pragma once

namespace holdfast::detail {

// No delay for small packets, and a peer that vanished without a word is noticed within a minute. A
// frozen peer is not: its kernel still answers. No effect on unix sockets.
void set_socket_options(int fd) noexcept;

}  // namespace holdfast::detail
