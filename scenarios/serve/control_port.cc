#include "scenarios/serve/control_port.h"

#include <array>
#include <memory>
#include <utility>

#include "scenarios/serve/reply_writer.h"
#include "scenarios/serve/request_parser.h"

namespace holdfast::serve {

// Whoever asks. Owns itself until its socket has closed.
class ControlPort::Caller {
 public:
  Caller(ControlPort& port, uv_stream_t* listener) : port_(&port) {
    uv_tcp_init(&port.loop_, &socket_);
    socket_.data = this;
    port.callers_.insert(this);
    if (uv_accept(listener, stream()) != 0) {
      close();
    } else {
      uv_read_start(stream(), lend_buffer, on_read);
    }
  }

  void port_closes() {
    port_ = nullptr;
    close();
  }

 private:
  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&socket_); }

  static void lend_buffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& bytes = static_cast<Caller*>(handle->data)->bytes_;
    *buffer = uv_buf_init(bytes.data(), static_cast<unsigned>(bytes.size()));
  }
  static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    auto& caller = *static_cast<Caller*>(stream->data);
    if (count < 0) return caller.close();
    caller.parser_.append({buffer->base, static_cast<std::size_t>(count)});
    caller.run();
  }
  void run() {
    Command command;
    for (;;) {
      switch (parser_.next(command)) {
        case RequestParser::Result::command:
          write(port_->answer_(command));
          break;
        case RequestParser::Result::need_more:
          return;
        case RequestParser::Result::malformed:
          write(Reply::error(parser_.error()));
          return close();
        case RequestParser::Result::too_much:
          return close();
      }
      if (uv_is_closing(reinterpret_cast<uv_handle_t*>(&socket_)) != 0) return;
    }
  }
  // Answers are short: what the socket does not take at once is not for anybody who reads.
  void write(const Reply& reply) {
    std::string text;
    write_reply(text, reply);
    uv_buf_t buffer = uv_buf_init(text.data(), static_cast<unsigned>(text.size()));
    const int sent = uv_try_write(stream(), &buffer, 1);
    if (sent < 0 || static_cast<std::size_t>(sent) < text.size()) close();
  }
  void close() {
    if (uv_is_closing(reinterpret_cast<uv_handle_t*>(&socket_)) != 0) return;
    if (port_ != nullptr) port_->callers_.erase(this);
    uv_close(reinterpret_cast<uv_handle_t*>(&socket_), [](uv_handle_t* handle) {
      const std::unique_ptr<Caller> freed(static_cast<Caller*>(handle->data));
    });
  }

  ControlPort* port_;
  uv_tcp_t socket_{};
  RequestParser parser_;
  std::array<char, 4096> bytes_{};
};

ControlPort::ControlPort(uv_loop_t& loop, std::uint16_t port, Answer answer)
    : loop_(loop),
      answer_(std::move(answer)),
      address_(loop, "control", 0, port, [this](uv_stream_t* listener) { arrived(listener); }) {}

ControlPort::~ControlPort() {
  for (Caller* caller : std::exchange(callers_, {})) caller->port_closes();
}

void ControlPort::arrived(uv_stream_t* listener) {
  new Caller(*this, listener);  // owns itself
}

}  // namespace holdfast::serve
