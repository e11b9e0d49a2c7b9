// PollAdapter: lets a hiredis context wait for its socket on a libuv loop. Internal to this folder.
//
// hiredis ships such an adapter, but it drops the event by which libuv tells that a connection was
// refused or reset, so that a context waits for ever.
#pragma once

#include <hiredis/async.h>
#include <uv.h>

#include <functional>

namespace holdfast::detail {

// Attaches `context`, which then owns the adapter. `gone` is called once, when hiredis is about to
// free the context for whatever reason; the context can still be read then, not used.
// Returns a negative libuv error when the socket cannot be watched.
int attach(redisAsyncContext* context, uv_loop_t* loop,
           std::function<void(redisAsyncContext*)> gone);

}  // namespace holdfast::detail
