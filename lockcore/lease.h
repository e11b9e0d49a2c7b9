// LeaseHandle: the Lease in its owner's hand.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lockcore/hold.h"
#include "lockcore/lock.h"

namespace holdfast {

class LeaseHandle final : public Lease {
 public:
  explicit LeaseHandle(std::shared_ptr<Hold> hold) noexcept : hold_(std::move(hold)) {}
  LeaseHandle(const LeaseHandle&) = delete;
  LeaseHandle& operator=(const LeaseHandle&) = delete;
  // Sends nothing: a dying process must not. Renewals end and the TTL frees the key.
  ~LeaseHandle() override { hold_->disarm({}); }

  bool held() override { return hold_->check(hold_->env().now()); }
  Instant valid_until() const override { return hold_->valid_until(); }
  std::int64_t fencing_token() const override { return hold_->fencing_token; }
  const std::string& key() const override { return hold_->key; }
  const std::string& token() const override { return hold_->token.text(); }
  std::uint64_t acquisition() const override { return hold_->acquisition; }
  std::stop_token lost() const override { return hold_->lost.get_token(); }
  std::optional<LossReason> loss() const override { return hold_->loss(); }
  Task<bool> lost_or(Instant until) override;
  Task<ReleaseOutcome> release() override;

 private:
  std::shared_ptr<Hold> hold_;
};

}  // namespace holdfast
