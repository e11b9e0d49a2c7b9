#include "scenarios/workload/client_program.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lockcore/lock.h"
#include "scenarios/workload/guarded_resource.h"
#include "scenarios/workload/observer_bridge.h"
#include "scenarios/workload/protocol_client.h"

namespace holdfast::workload {

using history::Kind;
using scenario::Step;

namespace {

struct Held {
  std::shared_ptr<Lease> lease;
  history::GrantId grant = 0;
  bool inside = true;  // its section is open
};

}  // namespace

class ClientProgram::Steps {
 public:
  Steps(Env& env, ClientSetup setup)
      : env_(env),
        setup_(std::move(setup)),
        bridge_(setup_.recorder, setup_.scenario.lock.options, setup_.actor, setup_.incarnation) {
    if (setup_.scenario.lock.protocol) {
      protocol_.emplace(env_, setup_.nodes, *setup_.scenario.lock.protocol, setup_.client.name,
                        bridge_);
    } else {
      core_.emplace(env_, setup_.nodes, bridge_);
    }
  }

  Task<void> run() {
    record(Kind::process_started, 0, {}, {}, 0, setup_.incarnation);
    const bool finished = co_await run_steps(setup_.client.steps);
    static_cast<void>(finished);
    for (auto& held : held_) leave(held);
    record(Kind::client_done, 0);
  }

 private:
  // How a list of steps goes on after one of them.
  enum class Flow : std::uint8_t {
    next,
    stop,          // the client's steps are over
    skip_release,  // go on after the release of skip_key_
    to_release,    // go on with the release of skip_key_
  };

  history::Nanos record(Kind kind, history::GrantId grant, std::string_view resource = {},
                        std::string_view token = {}, std::int64_t a = 0, std::int64_t b = 0) {
    return setup_.recorder.record({kind, grant, resource, token, a, b});
  }

  // True when all steps were run, false when the client stopped.
  Task<bool> run_steps(const std::vector<Step>& steps) {
    Flow flow = Flow::next;
    for (const Step& step : steps) {
      if (flow == Flow::skip_release || flow == Flow::to_release) {
        if (step.kind != Step::Kind::release || step.target != skip_key_) continue;
        const bool skip_it = flow == Flow::skip_release;
        flow = Flow::next;
        if (skip_it) continue;
      }
      flow = co_await run_step(step);
      if (flow == Flow::stop) co_return false;
    }
    co_return true;
  }

  Task<Flow> run_step(const Step& step) {
    switch (step.kind) {
      case Step::Kind::acquire:
        co_return co_await acquire(step);
      case Step::Kind::release:
        co_return co_await release(step);
      case Step::Kind::write:
      case Step::Kind::read:
        co_return co_await access(step);
      case Step::Kind::work:
        co_return co_await work(step);
      case Step::Kind::sleep:
        co_await Sleep(env_, env_.now() + step.duration);
        co_return Flow::next;
      case Step::Kind::check_held:
        co_return check_held(step.target);
      case Step::Kind::repeat:
        break;
    }
    for (int i = 0; i < step.times; ++i) {
      const bool finished = co_await run_steps(step.steps);
      if (!finished) co_return Flow::stop;
    }
    co_return Flow::next;
  }

  Task<Flow> acquire(const Step& step) {
    LockOptions options = setup_.scenario.lock.options;
    options.wait = step.wait.value_or(options.wait);
    bridge_.expect_wait(options.wait);
    const history::GrantId grant = bridge_.grant(++acquisitions_);
    AcquireResult result;
    if (core_) {
      result = co_await core_->acquire(step.target, options, std::stop_token());
    } else {
      result = co_await protocol_->acquire(step.target, options, std::stop_token());
    }
    const auto outcome = static_cast<std::int64_t>(result.outcome);
    if (!result.lease) {
      record(Kind::acquire_returned, grant, step.target, {}, outcome);
      skip_key_ = step.target;
      co_return step.on_failure == Step::OnFailure::skip ? Flow::skip_release : Flow::stop;
    }
    record(Kind::acquire_returned, grant, step.target, result.lease->token(), outcome,
           result.lease->fencing_token());
    held_.push_back({std::move(result.lease), grant, true});
    co_return sample(held_.back()) || !setup_.client.obey_loss ? Flow::next : lost(held_.back());
  }

  Task<Flow> release(const Step& step) {
    const auto held = find(step.target);
    if (held == held_.end()) co_return Flow::next;
    leave(*held);
    const std::shared_ptr<Lease> lease = held->lease;
    held_.erase(held);
    const ReleaseOutcome outcome = co_await lease->release();
    static_cast<void>(outcome);  // told to the observer
    co_return Flow::next;
  }

  // The application's check before an access, when it has one, comes before the point at which a
  // scenario may stop it: checking first and writing later is a race that no check closes.
  Task<Flow> access(const Step& step) {
    if (setup_.client.obey_loss) {
      for (auto& held : held_) {
        if (!sample(held)) co_return lost(held);
      }
    }
    Access access;
    access.write = step.kind == Step::Kind::write;
    const Point point = access.write ? Point::before_write : Point::before_read;
    co_await Checkpoint(env_, point);
    if (!held_.empty()) {
      access.grant = held_.back().grant;
      access.fencing_token = held_.back().lease->fencing_token();
    }
    access.fenced = fenced(step);
    if (access.write) access.value = next_value(step);
    record(access.write ? Kind::write_sent : Kind::read_sent, access.grant, step.target, {},
           access.value, access.fencing_token);
    const Instant deadline = env_.now() + setup_.scenario.lock.options.ttl;
    const AccessResult result =
        co_await access_resource(env_, setup_.guarded, step.target, access, deadline);
    record(Kind::access_returned, access.grant, step.target, {}, result.accepted, result.value);
    for (auto& held : held_) sample(held);
    co_return Flow::next;
  }

  Task<Flow> work(const Step& step) {
    const Instant until = env_.now() + step.duration;
    if (held_.empty() || !setup_.client.obey_loss) {
      co_await Sleep(env_, until);
    } else {
      const bool gone = co_await held_.back().lease->lost_or(until);
      if (gone) co_return lost(held_.back());
    }
    for (auto& held : held_) {
      if (!sample(held) && setup_.client.obey_loss) co_return lost(held);
    }
    co_return Flow::next;
  }

  Flow check_held(const std::string& key) {
    const auto held = find(key);
    if (held != held_.end() && !sample(*held) && setup_.client.obey_loss) return lost(*held);
    return Flow::next;
  }

  // Asks the handle and records question and answer.
  bool sample(Held& held) {
    const std::string& key = held.lease->key();
    const history::Nanos asked = record(Kind::held_called, held.grant, key);
    const bool answer = held.lease->held();
    record(Kind::held_returned, held.grant, key, {}, answer ? 1 : 0, asked);
    return answer;
  }

  Flow lost(Held& held) {
    leave(held);
    skip_key_ = held.lease->key();
    return Flow::to_release;
  }

  void leave(Held& held) {
    if (held.inside) record(Kind::section_left, held.grant, held.lease->key());
    held.inside = false;
  }

  std::vector<Held>::iterator find(const std::string& key) {
    return std::find_if(held_.begin(), held_.end(),
                        [&](const Held& held) { return held.lease->key() == key; });
  }

  bool fenced(const Step& step) const {
    for (const auto& guarded : setup_.scenario.guarded) {
      if (guarded.name != step.target) continue;
      return guarded.fencing && (guarded.fence_reads || step.kind == Step::Kind::write);
    }
    return false;
  }

  std::int64_t next_value(const Step& step) {
    std::int64_t value = setup_.actor * 1000 + ++writes_;
    if (step.value) {
      std::from_chars(step.value->data(), step.value->data() + step.value->size(), value);
    }
    return value;
  }

  Env& env_;
  ClientSetup setup_;
  ObserverBridge bridge_;
  std::optional<LockClient> core_;
  std::optional<ProtocolClient> protocol_;
  std::vector<Held> held_;
  std::string skip_key_;
  std::uint64_t acquisitions_ = 0;
  std::int64_t writes_ = 0;
};

ClientProgram::ClientProgram(Env& env, ClientSetup setup)
    : steps_(std::make_unique<Steps>(env, std::move(setup))) {}
ClientProgram::~ClientProgram() = default;
Task<void> ClientProgram::run() { return steps_->run(); }

}  // namespace holdfast::workload
