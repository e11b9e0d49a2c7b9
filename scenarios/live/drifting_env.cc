#include "scenarios/live/drifting_env.h"

#include <utility>

#include "lockcore/redis_client.h"

namespace holdfast::live {

namespace {

constexpr std::int64_t kMillion = 1'000'000;

// amount * numerator / denominator without overflow, for rates near one million.
Duration scaled_by(Duration amount, std::int64_t numerator, std::int64_t denominator) {
  return amount / denominator * numerator + amount % denominator * numerator / denominator;
}

// Deadlines come by the drifting clock and go down by the host's.
class DriftingClient final : public RedisClient {
 public:
  DriftingClient(std::shared_ptr<RedisClient> host, const DriftingEnv& env)
      : host_(std::move(host)), env_(env) {}
  void submit(Exchange& exchange) override {
    exchange.deadline = env_.to_host(exchange.deadline);
    host_->submit(exchange);
  }
  void abandon(Exchange& exchange) noexcept override { host_->abandon(exchange); }
  std::uint64_t generation() const noexcept override { return host_->generation(); }
  void close() noexcept override { host_->close(); }

 private:
  std::shared_ptr<RedisClient> host_;
  const DriftingEnv& env_;
};

}  // namespace

DriftingEnv::DriftingEnv(Env& host, std::int64_t ppm, Duration wall_offset)
    : host_(host), ppm_(ppm), wall_offset_(wall_offset), base_(host.now()) {}

Instant DriftingEnv::now() {
  return base_ + scaled_by(host_.now() - base_, kMillion + ppm_, kMillion);
}

Instant DriftingEnv::to_host(Instant at) const {
  return base_ + scaled_by(at - base_, kMillion, kMillion + ppm_);
}

std::shared_ptr<RedisClient> DriftingEnv::connect(const Endpoint& endpoint, Role role) {
  return std::make_shared<DriftingClient>(host_.connect(endpoint, role), *this);
}

}  // namespace holdfast::live
