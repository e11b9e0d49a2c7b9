#include "sim/redis/key_interest.h"

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void KeyInterest::review() {
  // Those who see a key go at the instant at which it is removed.
  const bool sees_removals = server_.watches().any() || server_.tracking().any() ||
                             server_.keyspace_events().on() || server_.memory().limited();
  on_ = sees_removals || server_.key_waiting().any();
  server_.data().set_listener(on_ ? this : nullptr);
  server_.data().watch_removals(RemovalWitness::listeners, sees_removals);
  server_.review();
}

void KeyInterest::key_modified(const Entry& entry) {
  const bool counts = !server_.key_waiting().serves_from(entry);
  if (counts && server_.watches().any()) server_.watches().key_modified(entry);
  if (counts && server_.tracking().any()) {
    server_.tracking().key_modified(entry, server_.running_session());
  }
  if (server_.key_waiting().any()) server_.key_waiting().key_modified(entry);
  if (server_.memory().limited()) server_.memory().key_modified(entry);
  send_unless_running();
}

// What a command invalidates is told after its answer; what expires or is replicated, at once.
void KeyInterest::send_unless_running() {
  if (server_.running_session() != 0) return;
  server_.tracking().send_own();
  if (!server_.settling()) server_.tracking().send_broadcasts();
}

void KeyInterest::key_event(const Entry& entry, EventClass kind, std::string_view event) {
  if (server_.keyspace_events().on()) server_.keyspace_events().publish(entry, kind, event);
}

void KeyInterest::emptying(int database) {
  server_.watches().emptying(database);
  if (server_.tracking().any()) server_.tracking().emptying(server_.running_session());
  server_.memory().forget();
  send_unless_running();
}

void KeyInterest::swapped(int one, int other) {
  server_.watches().swapped(one, other);
  server_.key_waiting().swapped(one, other);
  server_.memory().forget();
}

}  // namespace holdfast::sim::redis
