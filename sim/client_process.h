// ClientProcess: Process and its Env. Everything that makes a coroutine of it go on passes through
// deliver(): a due timer, a message, a completed call. That is where a pause takes hold.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/scope.h"
#include "sim/call_record.h"
#include "sim/clock.h"
#include "sim/event_kind.h"
#include "sim/fabric.h"
#include "sim/kernel.h"
#include "sim/process.h"
#include "sim/random.h"
#include "sim/ring.h"
#include "sim/sim_redis_client.h"

namespace holdfast::sim {

class ClientProcess final : public Process, public Env {
 public:
  // Finds the address of a node by its name; 0: there is none.
  class Directory {
   public:
    virtual ~Directory() = default;
    virtual history::NodeId address(std::string_view name) const = 0;
    // The sentinels that know the master behind it; none: it is a server of its own.
    virtual std::span<const history::NodeId> sentinels(history::NodeId) const { return {}; }
    virtual std::string_view name(history::NodeId) const { return {}; }
    // The nodes of the cluster that it belongs to; none: it belongs to none.
    virtual std::span<const history::NodeId> cluster(history::NodeId) const { return {}; }
  };
  struct Start {
    history::ActorId actor = 0;
    std::uint64_t seed = 0;
    Duration monotonic{};  // readings at true time zero
    Duration wall{};
    std::int64_t ppm = 0;
  };

  ClientProcess(Kernel& kernel, Fabric& fabric, const Directory& directory, ProcessHooks& hooks);
  ~ClientProcess() override;

  // A new run, in two steps: end() while kernel and network are still those of the old one.
  void end() noexcept;
  void reset(const Start& start);

  // -- Process
  Env& env() override { return *this; }
  history::ActorId actor() const override { return actor_; }
  void start(std::function<Task<void>(Env&)> program) override;
  void pause(std::optional<Lane> lane) override;
  void resume(std::optional<Lane> lane) override;
  bool paused() const override { return paused_; }
  void crash() override;
  void restart() override;
  bool running() const override { return running_; }
  const Clock& monotonic() const override { return monotonic_; }
  const Clock& wall() const override { return wall_; }
  void step_wall(Duration by) override { wall_.step(kernel_.now(), by); }
  void set_rate(std::int64_t ppm) override;
  void watch_clock(std::uint32_t tag, Instant at, Action action) override;

  // -- Env
  Instant now() override { return Instant(monotonic_.read(kernel_.now())); }
  WallInstant wall_now() override { return WallInstant(wall_.read(kernel_.now())); }
  void arm(Timer& timer, Instant at) override;
  void disarm(Timer& timer) noexcept override;
  void spawn(Task<void> task, Lane lane) override;
  void random(std::span<std::byte> out) override;
  std::shared_ptr<RedisClient> connect(const Endpoint& endpoint, Role role) override;
  bool pass(Point point) override;

  // -- for its connections
  Fabric& fabric() { return fabric_; }
  const Directory& directory() const { return directory_; }
  Lane current_lane() const { return lane_; }
  CallRecord& record(std::uint32_t index) { return records_[index]; }
  std::uint32_t new_record(Exchange& exchange);
  void release_if_over(std::uint32_t record);
  void arm_deadline(std::uint32_t record, SimRedisClient& client, Instant at);
  std::uint32_t arm_retry(SimRedisClient& client, Instant at);  // answers the alarm, plus one
  void free_alarm(std::uint32_t& alarm_plus_one) noexcept;
  void message_arrived(SimRedisClient& client);
  void complete_now(std::uint32_t record);    // as the last deed of an event
  void complete_later(std::uint32_t record);  // as an event of its own
  void tell_late(const CallRecord& record, CallResult result);
  void client_gone(SimRedisClient& client) noexcept;

 private:
  // Something local that is due at a reading of the monotonic clock.
  struct Alarm {
    enum class Kind : std::uint8_t { unused, timer, deadline, retry, watch };
    Kind kind = Kind::unused;
    std::uint32_t generation = 0;
    std::uint32_t index = 0;  // record or watch
    void* target = nullptr;   // Timer or SimRedisClient
    Instant at{};
    EventId event = {};
  };
  // Something that makes the process do something.
  struct Work {
    enum class Kind : std::uint8_t { timer, deadline, retry, message, completion };
    Kind kind = Kind::timer;
    Lane lane = Lane::caller;
    bool of_one_lane = false;  // else of the process
    std::uint32_t index = 0;   // alarm or record
    std::uint32_t generation = 0;
    SimRedisClient* client = nullptr;

    bool is_timer() const { return kind < Kind::message; }
  };
  // What was asked for while a coroutine ran, and takes effect when it has suspended.
  struct Pending {
    bool pause = false;
    bool pause_lane[2] = {false, false};
    bool crash = false;
    bool restart = false;  // after the crash
  };

  std::uint32_t new_alarm(Alarm::Kind kind, void* target, std::uint32_t index, Instant at);
  void schedule(std::uint32_t alarm);
  static void alarm_due(void* self, std::uint64_t alarm);

  bool is_held(const Work& work) const;
  void deliver(const Work& work);
  void queue(const Work& work);
  void schedule_ready();
  static void next_ready(void* self, std::uint64_t);
  void run(const Work& work);
  void run_alarm(const Work& work);
  void run_completion(const Work& work);
  void resume_coroutine(std::coroutine_handle<> coroutine, Lane lane);
  void settle_pending();
  void hold_what_is_ready();
  void release_what_was_held();
  void pause_now(std::optional<Lane> lane);
  void crash_now();
  void die() noexcept;

  Kernel& kernel_;
  Fabric& fabric_;
  const Directory& directory_;
  ProcessHooks& hooks_;
  history::ActorId actor_ = 0;
  Clock monotonic_;
  Clock wall_;
  Random tokens_;
  Random resume_order_;

  bool running_ = false;
  bool paused_ = false;
  bool lane_paused_[2] = {false, false};
  bool busy_ = false;  // code of the process runs
  Pending pending_;
  Lane lane_ = Lane::caller;  // of the running coroutine
  std::uint64_t passed_[16] = {};

  std::vector<Alarm> alarms_;
  std::vector<std::uint32_t> free_alarms_;
  std::vector<CallRecord> records_;
  std::vector<std::uint32_t> free_records_;
  struct Watch {
    std::uint32_t alarm = 0;  // plus one; 0: none
    Action action;
  };
  std::vector<Watch> watches_;  // by tag

  std::vector<Work> held_;  // by a pause, in the order of arrival
  Ring<Work> ready_;        // one event each, in this order
  EventId next_ready_ = {};
  std::vector<Work> moved_;  // scratch

  std::vector<SimRedisClient*> clients_;                 // all that live, oldest first
  std::vector<std::shared_ptr<SimRedisClient>> shared_;  // by address and role
  std::function<Task<void>(Env&)> program_;
  Scope scope_{*this};
};

}  // namespace holdfast::sim
