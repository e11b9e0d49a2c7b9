// A client that speaks bytes, for what no Redis library would send.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace holdfast::serve::test {

class TcpClient {
 public:
  explicit TcpClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};  // a test that would hang fails
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    error_ = connected_ ? 0 : errno;
  }
  ~TcpClient() { close(fd_); }
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;

  bool connected() const { return connected_; }
  int error() const { return error_; }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void finish_sending() { shutdown(fd_, SHUT_WR); }
  // Exactly so many bytes, or what came before the end (error(): 0, ECONNRESET, EAGAIN).
  std::string read(std::size_t size) {
    std::string text(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const ssize_t count = recv(fd_, text.data() + got, size - got, 0);
      error_ = count < 0 ? errno : 0;
      if (count <= 0) break;
      got += static_cast<std::size_t>(count);
    }
    return text.substr(0, got);
  }
  std::string read_to_end() {
    std::string text;
    for (std::string piece = read(1); !piece.empty(); piece = read(1)) text += piece;
    return text;
  }
  // A request whose answer is known: whether it is that.
  testing::AssertionResult answers(std::string_view request, std::string_view expected) {
    send(request);
    const std::string got = read(expected.size());
    if (got == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "got '" << got << "', errno " << error_;
  }
  // Whether an answer is there, without waiting.
  bool has_answer() const {
    char byte = 0;
    return recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  }
  std::uint16_t own_port() const {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }

 private:
  int fd_;
  bool connected_ = false;
  int error_ = 0;
};

}  // namespace holdfast::serve::test
