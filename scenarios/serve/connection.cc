#include "scenarios/serve/connection.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <utility>

#include "scenarios/serve/front.h"
#include "scenarios/serve/reply_writer.h"

namespace holdfast::serve {
namespace {

constexpr std::size_t kMostPushed = std::size_t{32} << 20;
constexpr std::size_t kKeptCapacity = std::size_t{64} << 10;

// What is read is used before anything else is read: one buffer for all.
void lend_buffer(uv_handle_t*, std::size_t, uv_buf_t* buffer) {
  static thread_local std::array<char, std::size_t{64} << 10> bytes;
  *buffer = uv_buf_init(bytes.data(), bytes.size());
}

}  // namespace

Connection::Connection(Front& front, Address& address, std::uint64_t number)
    : front_(front),
      address_(address),
      number_(number),
      early_(front.kernel(), {&Connection::on_request_due, this}),
      late_(front.kernel(), {&Connection::on_reply_due, this}) {
  socket_.data = this;
  write_.data = this;
}

bool Connection::accept(uv_stream_t* listener) {
  uv_tcp_init(listener->loop, &socket_);
  accepted_ = uv_accept(listener, stream()) == 0;
  if (!accepted_) {
    close();
    return false;
  }
  uv_tcp_nodelay(&socket_, 1);
  return true;
}

void Connection::start() { update_reading(); }

std::string Connection::peer() const {
  sockaddr_in address{};
  int length = sizeof address;
  uv_tcp_getpeername(&socket_, reinterpret_cast<sockaddr*>(&address), &length);
  return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

// -- in

void Connection::on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  auto& connection = *static_cast<Connection*>(stream->data);
  if (count == 0) return;  // nothing there after all
  connection.front_.catch_up();
  if (connection.state_ != State::open) return;
  if (count == UV_EOF) return connection.client_ended();
  if (count < 0) return connection.close();
  connection.received({buffer->base, static_cast<std::size_t>(count)});
}

void Connection::received(std::string_view bytes) {
  if (address_.to_server.delay > Duration::zero() || !early_.empty()) {
    return early_.push(std::string(bytes), address_.to_server.delay);
  }
  parser_.append(bytes);
  run_requests();
}

void Connection::on_request_due(void* self, std::uint64_t) {
  auto& connection = *static_cast<Connection*>(self);
  connection.parser_.append(connection.early_.take());
  connection.run_requests();
  if (connection.client_ended_ && connection.early_.empty()) connection.client_ended();
}

// What it had sent before is executed; answers to it go nowhere in particular (FID-X1).
void Connection::client_ended() {
  client_ended_ = true;
  update_reading();
  if (!early_.empty()) return;
  flush();
  close();
}

bool Connection::may_run() const {
  return state_ == State::open && unsent() <= kBackPressure && front_.executes(*this);
}

void Connection::run_requests() {
  Command command;
  while (may_run()) {
    switch (parser_.next(command)) {
      case RequestParser::Result::command:
        front_.execute(*this, std::move(command));
        break;
      case RequestParser::Result::need_more:
        return update_reading();
      case RequestParser::Result::malformed:
        reply(Reply::error(parser_.error()));
        return close_when_sent();
      case RequestParser::Result::too_much:
        return close();
    }
  }
  update_reading();
}

void Connection::update_reading() {
  const bool wanted = may_run() && !client_ended_ && !address_.to_server.held;
  if (wanted == reading_) return;
  reading_ = wanted;
  if (wanted) uv_read_start(stream(), lend_buffer, &Connection::on_read);
  if (!wanted) uv_read_stop(stream());
}

void Connection::faults_changed() {
  if (state_ == State::open) run_requests();
  if (state_ != State::closing) write_ready();
}

// -- out

void Connection::reply(const Reply& reply) {
  if (muted_ || state_ == State::closing) return;
  write_reply(out_, reply);
  send_off();
}

void Connection::push(const Reply& message) {
  reply(message);
  if (unsent() > kMostPushed) close();
}

void Connection::send(std::string_view bytes) {
  out_.append(bytes);
  send_off();
}

void Connection::send_off() {
  const Duration delay = address_.to_client.delay;
  if (delay == Duration::zero() && late_.empty()) return front_.flush_later(*this);
  late_.push(std::exchange(out_, {}), delay);
}

void Connection::flush() {
  waits_for_flush = false;
  if (state_ == State::closing) return;
  if (ready_.empty()) {
    ready_.swap(out_);
  } else {
    ready_.append(out_);
    out_.clear();
  }
  write_ready();
}

void Connection::on_reply_due(void* self, std::uint64_t) {
  auto& connection = *static_cast<Connection*>(self);
  connection.ready_.append(connection.late_.take());
  connection.write_ready();
}

void Connection::write_ready() {
  if (state_ == State::closing || address_.to_client.held || !writing_.empty()) return;
  if (!ready_.empty()) {
    uv_buf_t buffer = uv_buf_init(ready_.data(), static_cast<unsigned>(ready_.size()));
    const int count = uv_try_write(stream(), &buffer, 1);
    if (count < 0 && count != UV_EAGAIN) return close();
    const auto written = static_cast<std::size_t>(count < 0 ? 0 : count);
    if (written < ready_.size()) {
      writing_.assign(ready_, written);
      buffer = uv_buf_init(writing_.data(), static_cast<unsigned>(writing_.size()));
      if (uv_write(&write_, stream(), &buffer, 1, &Connection::on_written) < 0) return close();
    }
    ready_.clear();
    if (ready_.capacity() > kKeptCapacity) ready_ = std::string();
  }
  if (state_ == State::finishing && unsent() == 0) return close();
  if (state_ == State::open && !reading_) run_requests();  // there is room again
}

void Connection::on_written(uv_write_t* write, int status) {
  auto& connection = *static_cast<Connection*>(write->data);
  connection.writing_ = std::string();
  if (connection.state_ == State::closing) return;
  if (status < 0) return connection.close();
  connection.front_.catch_up();
  connection.write_ready();
}

// -- its end

void Connection::close_when_sent() {
  if (state_ != State::open) return;
  state_ = State::finishing;
  update_reading();
  front_.leaves(*this);
  front_.flush_later(*this);
}

void Connection::end(bool with_reset) {
  if (state_ == State::closing) return;
  if (state_ == State::open) front_.leaves(*this);
  state_ = State::closing;
  const auto closed = [](uv_handle_t* handle) {
    auto& connection = *static_cast<Connection*>(handle->data);
    connection.front_.closed(connection);
  };
  if (with_reset && accepted_ && uv_tcp_close_reset(&socket_, closed) == 0) return;
  uv_close(reinterpret_cast<uv_handle_t*>(&socket_), closed);
}

}  // namespace holdfast::serve
