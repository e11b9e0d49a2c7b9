#include "sim/redis/key_waiting.h"

#include <algorithm>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/wall_timeout.h"

namespace holdfast::sim::redis {

namespace {

bool waits_for(const std::vector<KeyName>& keys, KeyView key) {
  return std::any_of(keys.begin(), keys.end(),
                     [key](const KeyName& each) { return KeyView(each) == key; });
}

Reply nothing_came() {
  Reply answer;
  answer.type = Reply::Type::null_array;
  return answer;
}

}  // namespace

void KeyWaiting::reset() {
  waiters_.clear();
  ready_.clear();
  served_ = nullptr;
  ++run_;
}

void KeyWaiting::add(SessionId id, const CommandSpec& spec, const Command& command,
                     std::span<const std::string_view> keys, Retry retry, std::int64_t timeout_ms) {
  Session& session = server_.sessions()[id];
  Waiter waiter;
  waiter.session = id;
  waiter.spec = &spec;
  waiter.command = command;
  for (const std::string_view key : keys) {
    waiter.keys.push_back({session.database, std::string(key)});
  }
  waiter.retry = retry;
  waiter.timed = !is_for_ever(timeout_ms);
  if (waiter.timed) waiter.until = end_of_timeout(server_.data().wall_now(), timeout_ms);
  arm(waiter);
  waiters_.push_back(std::move(waiter));
  session.blocked = true;
  server_.interest().review();
}

void KeyWaiting::arm(Waiter& waiter) {
  if (!waiter.timed) return;
  Kernel& kernel = server_.kernel();
  kernel.cancel(waiter.timeout);
  const auto end = server_.data().wall().when(waiter.until, kernel.now());
  if (end) waiter.timeout = kernel.at(*end, {&KeyWaiting::on_timeout, this, run_, kWaitEnds});
}

void KeyWaiting::on_timeout(void* self, std::uint64_t run) {
  auto& waiting = *static_cast<KeyWaiting*>(self);
  if (run == waiting.run_ && !waiting.server_.busy()) waiting.check_timeouts();
}

void KeyWaiting::check_timeouts() {
  const Duration wall = server_.data().wall_now();
  std::vector<SessionId> over;
  for (const Waiter& waiter : waiters_) {
    if (waiter.timed && wall >= waiter.until) over.push_back(waiter.session);
  }
  for (const SessionId session : over) end(session, nothing_came());
}

void KeyWaiting::clock_changed() {
  for (Waiter& waiter : waiters_) arm(waiter);
}

void KeyWaiting::forget(SessionId session) {
  const auto it = std::find_if(waiters_.begin(), waiters_.end(), [session](const Waiter& waiter) {
    return waiter.session == session;
  });
  if (it == waiters_.end()) return;
  server_.kernel().cancel(it->timeout);
  waiters_.erase(it);
  server_.interest().review();
}

bool KeyWaiting::end(SessionId session, Reply answer) {
  const std::size_t before = waiters_.size();
  forget(session);
  if (waiters_.size() == before) return false;
  if (answer.type == Reply::Type::nil) answer = nothing_came();
  server_.unblock(session, std::move(answer));
  return true;
}

void KeyWaiting::disconnect_all() {
  const std::vector<Waiter> waiters = std::exchange(waiters_, {});
  for (Waiter waiter : waiters) {
    server_.kernel().cancel(waiter.timeout);
    server_.force_unblocked(waiter.session);
  }
  server_.interest().review();
}

void KeyWaiting::offer(KeyView key) {
  if (waits_for(ready_, key)) return;
  const bool wanted = std::any_of(waiters_.begin(), waiters_.end(), [key](const Waiter& waiter) {
    return waits_for(waiter.keys, key);
  });
  if (wanted) ready_.push_back({key.database, std::string(key.name)});
}

bool KeyWaiting::serves_from(const Entry& entry) const {
  return served_ != nullptr && KeyView(*served_) == KeyView(entry.database, entry.name);
}

void KeyWaiting::key_modified(const Entry& entry) {
  if (entry.value.type == ValueType::list) offer({entry.database, entry.name});
}

void KeyWaiting::swapped(int one, int other) {
  std::vector<KeyName> keys;
  for (const Waiter& waiter : waiters_) {
    for (const KeyName& key : waiter.keys) {
      if (key.database == one || key.database == other) keys.push_back(key);
    }
  }
  for (const KeyName& key : keys) {
    const Entry* entry = server_.data().databases()[key.database].find(key.name);
    if (entry != nullptr && entry->value.type == ValueType::list) offer(key);
  }
}

// Serving one may make another key ready (BLMOVE).
void KeyWaiting::serve() {
  while (!ready_.empty()) {
    for (const KeyName& key : std::exchange(ready_, {})) serve_key(key);
  }
}

void KeyWaiting::serve_key(const KeyName& key) {
  while (true) {
    const auto it = std::find_if(waiters_.begin(), waiters_.end(), [&key](const Waiter& waiter) {
      return waits_for(waiter.keys, key);
    });
    if (it == waiters_.end()) return;
    const Entry* entry = server_.data().databases()[key.database].find(key.name);
    if (entry == nullptr || entry->value.type != ValueType::list) return;
    const Waiter waiter = std::move(*it);
    Kernel& kernel = server_.kernel();
    EventId timeout = waiter.timeout;
    kernel.cancel(timeout);
    waiters_.erase(it);
    served_ = &key;
    server_.serve_waiter(waiter.session, *waiter.spec, waiter.retry(waiter.command, key.name));
    served_ = nullptr;
    server_.interest().review();
  }
}

}  // namespace holdfast::sim::redis
