// ProtocolLease: a lock that a protocol has acquired, and what its owner believes about it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lockcore/lock.h"
#include "scenarios/workload/protocol_steps.h"

namespace holdfast::workload {

class ProtocolLease final : public Lease {
 public:
  // `sent`: when the first acquire step was sent.
  ProtocolLease(std::shared_ptr<ProtocolSide> side, ProtocolUse use, std::uint64_t acquisition,
                Instant sent);

  // The belief begins, or begins anew after a renewal sent at `sent` and answered now.
  void believe(Instant sent);
  // It ends by a clock, not only by release.
  bool bounded() const;
  bool open() const { return !released_; }
  const ProtocolUse& use() const { return use_; }
  ProtocolSide& side() const { return *side_; }
  const std::shared_ptr<ProtocolSide>& shared_side() const { return side_; }
  void tell(LockEvent::Kind kind) const;

  bool held() override;
  Instant valid_until() const override { return valid_until_; }
  std::int64_t fencing_token() const override { return 0; }
  const std::string& key() const override { return use_.key; }
  const std::string& token() const override { return use_.token; }
  std::uint64_t acquisition() const override { return acquisition_; }
  std::stop_token lost() const override { return lost_.get_token(); }
  std::optional<LossReason> loss() const override { return std::nullopt; }
  Task<bool> lost_or(Instant until) override;
  Task<ReleaseOutcome> release() override;

 private:
  LockEvent event(LockEvent::Kind kind) const;

  std::shared_ptr<ProtocolSide> side_;
  ProtocolUse use_;
  std::uint64_t acquisition_;
  Instant valid_until_{Duration::max()};
  std::stop_source lost_;
  bool released_ = false;
  bool over_ = false;
};

// Runs the protocol's renew steps every `every` until release, or until they are refused.
void start_renewing(const std::shared_ptr<ProtocolLease>& lease);

}  // namespace holdfast::workload
