#include "lockcore/hiredis/poll_adapter.h"

#include <memory>
#include <utility>

namespace holdfast::detail {
namespace {

struct Adapter {
  uv_poll_t poll{};
  redisAsyncContext* context = nullptr;  // null once hiredis has let go of it
  int wanted = 0;
  std::function<void(redisAsyncContext*)> gone;
};

void on_poll(uv_poll_t* poll, int status, int events);

void watch(Adapter& adapter, int wanted) {
  if (adapter.wanted == wanted) return;
  adapter.wanted = wanted;
  if (wanted == 0) {
    uv_poll_stop(&adapter.poll);
  } else {
    uv_poll_start(&adapter.poll, wanted, on_poll);
  }
}

void on_poll(uv_poll_t* poll, int status, int events) {
  auto& adapter = *static_cast<Adapter*>(poll->data);
  if (status < 0) {
    // libuv has stopped watching: the socket has an error, which hiredis finds by using it. There
    // may be replies to read before it.
    events = adapter.wanted;
    adapter.wanted = 0;
  }
  if (adapter.context != nullptr && (events & UV_READABLE) != 0) {
    redisAsyncHandleRead(adapter.context);
  }
  if (adapter.context != nullptr && (events & UV_WRITABLE) != 0) {
    redisAsyncHandleWrite(adapter.context);
  }
  if (adapter.context != nullptr && status < 0) watch(adapter, adapter.wanted | events);
}

template <int bit>
void add(void* data) {
  auto& adapter = *static_cast<Adapter*>(data);
  watch(adapter, adapter.wanted | bit);
}

template <int bit>
void remove(void* data) {
  auto& adapter = *static_cast<Adapter*>(data);
  watch(adapter, adapter.wanted & ~bit);
}

void clean_up(void* data) {
  auto& adapter = *static_cast<Adapter*>(data);
  redisAsyncContext* const context = std::exchange(adapter.context, nullptr);
  context->ev = {};  // hiredis 1.x may call again
  uv_close(reinterpret_cast<uv_handle_t*>(&adapter.poll),
           [](uv_handle_t* handle) { delete static_cast<Adapter*>(handle->data); });
  adapter.gone(context);
}

}  // namespace

int attach(redisAsyncContext* context, uv_loop_t* loop,
           std::function<void(redisAsyncContext*)> gone) {
  auto adapter = std::make_unique<Adapter>();
  adapter->context = context;
  adapter->gone = std::move(gone);
  adapter->poll.data = adapter.get();
  const int result = uv_poll_init(loop, &adapter->poll, context->c.fd);
  if (result < 0) return result;
  context->ev.addRead = add<UV_READABLE>;
  context->ev.delRead = remove<UV_READABLE>;
  context->ev.addWrite = add<UV_WRITABLE>;
  context->ev.delWrite = remove<UV_WRITABLE>;
  context->ev.cleanup = clean_up;
  context->ev.data = adapter.release();
  return 0;
}

}  // namespace holdfast::detail
