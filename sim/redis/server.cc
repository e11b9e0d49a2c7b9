// The public face of an Instance.
#include "sim/redis/server.h"

#include <utility>

#include "sim/redis/instance.h"

namespace holdfast::sim {

struct RedisServer::Impl {
  Impl(Kernel& kernel, ServerHost& host, ServerWatcher& watcher, RedisServer& facade)
      : instance(kernel, host, watcher, facade) {}
  redis::Instance instance;
};

RedisServer::RedisServer(Kernel& kernel, ServerHost& host, ServerWatcher& watcher)
    : impl_(std::make_unique<Impl>(kernel, host, watcher, *this)) {}
RedisServer::~RedisServer() = default;

void RedisServer::reset(const ServerOptions& options, Clock wall) {
  impl_->instance.reset(options, wall);
}

SessionId RedisServer::open_session(history::ActorId client) {
  return impl_->instance.open_session(client);
}
void RedisServer::close_session(SessionId session) { impl_->instance.close_session(session); }
void RedisServer::receive(SessionId session, Command command) {
  impl_->instance.receive(session, std::move(command));
}

bool RedisServer::running() const { return impl_->instance.running(); }
bool RedisServer::paused() const { return impl_->instance.paused(); }
void RedisServer::pause() { impl_->instance.pause(); }
void RedisServer::resume() { impl_->instance.resume(); }
void RedisServer::crash(CrashKind kind) { impl_->instance.crash(kind); }
void RedisServer::restart(Persistence persistence) { impl_->instance.restart(persistence); }
void RedisServer::terminate() { impl_->instance.shutdown().begin(0, {}); }
void RedisServer::fail_saves(bool fail) { impl_->instance.disk().fail_saves(fail); }
void RedisServer::tear_file(std::int64_t bytes) { impl_->instance.disk().tear(bytes); }
void RedisServer::freeze_fsync(Duration for_time) {
  impl_->instance.disk().set_fsync_time(for_time);
}
const std::string& RedisServer::run_id() const { return impl_->instance.run_id(); }
const ServerOptions& RedisServer::options() const { return impl_->instance.options(); }

const Clock& RedisServer::wall() const { return impl_->instance.data().wall(); }
void RedisServer::step_wall(Duration by) {
  impl_->instance.clock_changes();
  impl_->instance.data().step_wall(by);
  impl_->instance.clock_changed();
}
void RedisServer::set_wall_rate(std::int64_t ppm) {
  impl_->instance.clock_changes();
  impl_->instance.data().set_wall_rate(ppm);
  impl_->instance.clock_changed();
}
void RedisServer::freeze_wall(bool frozen) {
  impl_->instance.clock_changes();
  impl_->instance.data().freeze_wall(frozen);
  impl_->instance.clock_changed();
}

void RedisServer::replicate_from(RedisServer& master) {
  impl_->instance.replication().follow(master.impl_->instance.replication());
}
void RedisServer::promote() { impl_->instance.replication().promote(); }
bool RedisServer::is_master() const { return impl_->instance.data().master(); }
RedisServer* RedisServer::master() const {
  redis::Replication* master = impl_->instance.replication().master();
  return master == nullptr ? nullptr : &master->server().facade();
}
void RedisServer::hold_stream(bool held) { impl_->instance.replication().hold(held); }
void RedisServer::hold_acks(bool held) { impl_->instance.replication().hold_acks(held); }
void RedisServer::cut_stream(bool cut) { impl_->instance.replication().cut(cut); }
bool RedisServer::follows() const { return impl_->instance.replication().connected(); }
std::int64_t RedisServer::offset() const { return impl_->instance.replication().offset(); }
int RedisServer::online_replicas() const { return impl_->instance.replication().online(); }

void RedisServer::answer_error(history::ActorId actor, std::string text, bool writes_only) {
  impl_->instance.injected_errors().set(actor, std::move(text), writes_only);
  impl_->instance.review();
}
void RedisServer::evict(std::string_view key) { impl_->instance.evict(key); }
void RedisServer::flush() { impl_->instance.flush(); }

std::int64_t RedisServer::wall_ms() const { return impl_->instance.data().fresh_ms(); }
bool RedisServer::holds(std::string_view key, std::string_view value) const {
  return impl_->instance.running() && impl_->instance.data().holds(key, value);
}
std::size_t RedisServer::keys() const { return impl_->instance.keys(); }

}  // namespace holdfast::sim
