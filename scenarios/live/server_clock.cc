#include "scenarios/live/server_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/shim/clock_page.h"

namespace holdfast::live {
namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

holdfast_clock_numbers numbers_of(const holdfast_clock_page& page) {
  return {page.reference_wall_ns, page.reference_monotonic_ns, page.rate_ppm};
}

void publish(holdfast_clock_page& page, const holdfast_clock_numbers& numbers) {
  const std::uint32_t sequence = page.sequence;
  __atomic_store_n(&page.sequence, sequence + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&page.reference_wall_ns, numbers.wall_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&page.reference_monotonic_ns, numbers.monotonic_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&page.rate_ppm, numbers.rate_ppm, __ATOMIC_RELAXED);
  __atomic_store_n(&page.sequence, sequence + 2, __ATOMIC_RELEASE);
}

// TIME answers seconds and microseconds as two texts.
std::int64_t server_time_ns(RedisProcess& server) {
  const Reply reply = server.ask({"TIME"});
  if (reply.elements.size() != 2) {
    throw EnvironmentFailure("redis-server " + server.name() + " does not tell its TIME");
  }
  return std::stoll(reply.elements[0].text) * 1'000'000'000 +
         std::stoll(reply.elements[1].text) * 1'000;
}

}  // namespace

std::filesystem::path find_clock_shim() {
  constexpr const char* kFile = "holdfast-clock-shim.so";
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path beside = program.parent_path();
  for (const auto& folder : {beside, beside.parent_path()}) {
    if (std::filesystem::exists(folder / kFile)) return folder / kFile;
  }
  throw EnvironmentFailure("no " + std::string(kFile) + " beside " + program.string());
}

ServerClock::ServerClock(const std::filesystem::path& file, std::filesystem::path shim)
    : file_(file), shim_(std::move(shim)) {
  const int fd = open(file_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) fail_with_errno("cannot create " + file_.string());
  void* memory = MAP_FAILED;
  if (posix_fallocate(fd, 0, sizeof(holdfast_clock_page)) == 0) {
    memory = mmap(nullptr, sizeof(holdfast_clock_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  close(fd);
  if (memory == MAP_FAILED) throw EnvironmentFailure("cannot write " + file_.string());
  page_ = static_cast<holdfast_clock_page*>(memory);
  publish(*page_, {read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC), 0});
}

ServerClock::~ServerClock() { munmap(page_, sizeof *page_); }

std::vector<std::pair<std::string, std::string>> ServerClock::environment() const {
  return {{"LD_PRELOAD", shim_.string()}, {HOLDFAST_CLOCK_VARIABLE, file_.string()}};
}

void ServerClock::bend(Duration by, std::int64_t ppm) {
  const std::int64_t monotonic = read_clock(CLOCK_MONOTONIC);
  const std::int64_t wall = holdfast_bent_wall(numbers_of(*page_), monotonic) + by.count();
  publish(*page_, {wall, monotonic, ppm});
}

Proof ServerClock::step(Duration by, RedisProcess& server) {
  const Instant begun = host_now();
  bend(by, page_->rate_ppm);
  Proof proof = prove(server);
  proof.begun = begun;
  return proof;
}

Proof ServerClock::set_rate(std::int64_t ppm, RedisProcess& server) {
  const Instant begun = host_now();
  bend(Duration::zero(), ppm);
  Proof proof = prove(server);
  proof.begun = begun;
  return proof;
}

Proof ServerClock::prove(RedisProcess& server) const {
  const Instant begun = host_now();
  const std::int64_t earliest = now().time_since_epoch().count();
  const std::int64_t told = server_time_ns(server);
  const std::int64_t latest = now().time_since_epoch().count();
  constexpr std::int64_t kMicrosecond = 1000;  // TIME is cut to microseconds
  if (told < earliest - kMicrosecond || told > latest) {
    throw EnvironmentFailure("the clock of redis-server " + server.name() + " is " +
                             std::to_string((told - earliest) / kMicrosecond) +
                             " us off the time it was set to");
  }
  return {begun, host_now(),
          "TIME of " + server.name() + " is " + std::to_string(offset().count() / 1'000'000) +
              " ms ahead of the host's, rate " + std::to_string(rate_ppm()) + " ppm"};
}

WallInstant ServerClock::now() const {
  const std::int64_t monotonic = read_clock(CLOCK_MONOTONIC);
  return WallInstant(Duration(holdfast_bent_wall(numbers_of(*page_), monotonic)));
}

Duration ServerClock::offset() const {
  return now().time_since_epoch() - Duration(read_clock(CLOCK_REALTIME));
}

std::int64_t ServerClock::rate_ppm() const { return page_->rate_ppm; }

}  // namespace holdfast::live
