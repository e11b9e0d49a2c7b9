#include "scenarios/live/proxy_pipe.h"

#include <netinet/in.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace holdfast::live {
namespace {

// libuv reads and tells one socket after the other: one buffer serves all.
void lend_buffer(uv_handle_t*, std::size_t, uv_buf_t* buffer) {
  thread_local char bytes[1 << 16];
  *buffer = uv_buf_init(bytes, sizeof bytes);
}

struct Write {
  uv_write_t request{};
  std::string bytes;
};

}  // namespace

ProxyPipe::ProxyPipe(LinkState& link)
    : link_(link),
      to_server_{&client_, &server_, &link.to_server, &link.counters.to_server,
                 link.carries == Carries::commands},
      to_client_{&server_,
                 &client_,
                 &link.to_client,
                 &link.counters.to_client,
                 link.carries == Carries::commands,
                 true} {
  uv_tcp_init(link.core->uv(), &client_);
  uv_tcp_init(link.core->uv(), &server_);
  client_.data = server_.data = this;
  link.pipes.insert(this);
}

void ProxyPipe::accept(LinkState& link, uv_stream_t* listener) {
  auto* const pipe = new ProxyPipe(link);
  if (uv_accept(listener, reinterpret_cast<uv_stream_t*>(&pipe->client_)) != 0) {
    return pipe->close(false);
  }
  ++link.counters.connections;
  uv_tcp_nodelay(&pipe->client_, 1);
  pipe->start_reading(pipe->to_server_);
  pipe->connect();
}

void ProxyPipe::connect() {
  auto* const request = new uv_connect_t;
  const auto connected = [](uv_connect_t* done, int status) {
    const std::unique_ptr<uv_connect_t> freed(done);
    auto& pipe = *static_cast<ProxyPipe*>(done->handle->data);
    if (pipe.closing_) return;
    if (status < 0) {
      pipe.link_.target_in_doubt();
      return pipe.close(true);
    }
    uv_tcp_nodelay(&pipe.server_, 1);
    pipe.note_source_port();
    pipe.to_server_.ready = true;
    pipe.start_reading(pipe.to_client_);
    pipe.pump(pipe.to_server_);
  };
  if (uv_tcp_connect(request, &server_, link_.target.get(), connected) != 0) {
    delete request;
    close(true);
  }
}

void ProxyPipe::note_source_port() {
  sockaddr_in address{};
  int length = sizeof address;
  if (uv_tcp_getsockname(&server_, reinterpret_cast<sockaddr*>(&address), &length) == 0) {
    link_.source_ports.insert(ntohs(address.sin_port));
  }
}

void ProxyPipe::start_reading(Stream& stream) {
  const auto on_read = [](uv_stream_t* source, ssize_t count, const uv_buf_t* buffer) {
    auto& pipe = *static_cast<ProxyPipe*>(source->data);
    const bool from_client = source == reinterpret_cast<uv_stream_t*>(&pipe.client_);
    Stream& read = from_client ? pipe.to_server_ : pipe.to_client_;
    if (count > 0) {
      pipe.received(read, std::string_view(buffer->base, static_cast<std::size_t>(count)));
    } else if (count < 0) {
      uv_read_stop(source);
      pipe.ended(read, count != UV_EOF);
    }
  };
  uv_read_start(reinterpret_cast<uv_stream_t*>(stream.source), lend_buffer, on_read);
}

void ProxyPipe::received(Stream& stream, std::string_view bytes) {
  stream.partial.append(bytes);
  std::size_t begin = 0;
  while (stream.framed && !closing_) {
    const std::string_view rest = std::string_view(stream.partial).substr(begin);
    const std::size_t length = stream.scanner.scan(rest);
    if (length == RespScanner::kMalformed) stream.framed = false;
    if (length == 0 || length == RespScanner::kMalformed) break;
    begin += length;
    if (!dropped(stream)) enqueue(stream, {std::string(rest.substr(0, length))});
  }
  if (closing_) return;
  stream.partial.erase(0, begin);
  if (!stream.framed && !stream.partial.empty()) {
    enqueue(stream, {std::exchange(stream.partial, {})});
  }
  pump(stream);
}

// Whether the reply that has just come is lost. May close the pipe.
bool ProxyPipe::dropped(const Stream& stream) {
  if (&stream != &to_client_) return false;
  if (link_.drop == 0 && !mute_) return false;
  ++link_.counters.dropped;
  mute_ = true;
  if (link_.drop > 0 && --link_.drop == 0 && link_.then_reset) close(true);
  return true;
}

void ProxyPipe::ended(Stream& stream, bool reset) {
  if (&stream == &to_client_) link_.target_in_doubt();
  Message end;
  end.end = true;
  end.reset = reset;
  enqueue(stream, std::move(end));
  pump(stream);
}

void ProxyPipe::enqueue(Stream& stream, Message message) {
  message.due = host_now() + stream.rules->delay;
  if (!stream.queue.empty()) message.due = std::max(message.due, stream.queue.back().due);
  if (stream.rules->held && !message.end) ++stream.counters->held;
  stream.queue.push_back(std::move(message));
}

void ProxyPipe::pump() {
  pump(to_server_);
  if (!closing_) pump(to_client_);
}

void ProxyPipe::pump(Stream& stream) {
  auto& core = *link_.core;
  core.cancel(stream.timer);
  while (!closing_ && !stream.rules->held && stream.ready && !stream.queue.empty()) {
    if (stream.queue.front().due > host_now()) {
      stream.timer = core.at(stream.queue.front().due, [this, &stream] {
        stream.timer = {};
        pump(stream);
      });
      return;
    }
    Message message = std::move(stream.queue.front());
    stream.queue.pop_front();
    deliver(stream, std::move(message));
  }
}

void ProxyPipe::deliver(Stream& stream, Message message) {
  auto* const sink = reinterpret_cast<uv_stream_t*>(stream.sink);
  if (message.end) {
    if (message.reset) return close(true);
    // Lets the sink read what is still on its way, then closes.
    auto* const request = new uv_shutdown_t;
    const auto shut = [](uv_shutdown_t* done, int) {
      const std::unique_ptr<uv_shutdown_t> freed(done);
      static_cast<ProxyPipe*>(done->handle->data)->close(false);
    };
    if (uv_shutdown(request, sink, shut) != 0) {
      delete request;
      close(false);
    }
    return;
  }
  ++stream.counters->messages;
  stream.counters->bytes += message.bytes.size();
  auto* const write = new Write{{}, std::move(message.bytes)};
  const uv_buf_t buffer =
      uv_buf_init(write->bytes.data(), static_cast<unsigned>(write->bytes.size()));
  write->request.data = write;
  // A sink that is gone is noticed by reading from it.
  const auto written = [](uv_write_t* done, int) { delete static_cast<Write*>(done->data); };
  if (uv_write(&write->request, sink, &buffer, 1, written) != 0) delete write;
}

void ProxyPipe::close(bool reset) {
  if (std::exchange(closing_, true)) return;
  link_.pipes.erase(this);
  link_.core->cancel(to_server_.timer);
  link_.core->cancel(to_client_.timer);
  if (reset) ++link_.counters.resets;
  const auto closed = [](uv_handle_t* handle) {
    auto* const pipe = static_cast<ProxyPipe*>(handle->data);
    if (--pipe->open_handles_ == 0) delete pipe;
  };
  for (uv_tcp_t* side : {&client_, &server_}) {
    // A socket that is not connected yet, or is being shut down, cannot be reset.
    if (!reset || uv_tcp_close_reset(side, closed) != 0) {
      uv_close(reinterpret_cast<uv_handle_t*>(side), closed);
    }
  }
}

void ProxyPipe::count_kept(LinkCounters& counters) const {
  for (const auto& [stream, way] :
       {std::pair(&to_server_, &counters.to_server), std::pair(&to_client_, &counters.to_client)}) {
    for (const Message& message : stream->queue) {
      if (message.end) continue;
      ++way->kept;
      way->kept_bytes += message.bytes.size();
    }
  }
}

}  // namespace holdfast::live
