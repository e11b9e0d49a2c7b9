// BLPOP, BRPOP, BLMOVE, BRPOPLPUSH: take from a list, or wait until there is something (FID-E21).
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/list_ends.h"

namespace holdfast::sim::redis {

namespace {

// Seconds with a fraction, as milliseconds rounded up; false after an error answer.
bool read_timeout(Execution& run, std::string_view text, std::int64_t& timeout_ms) {
  double seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = end == text.data() + text.size() && !text.empty();
  if (!whole || std::isnan(seconds)) {
    run.error("ERR timeout is not a float or out of range");
    return false;
  }
  constexpr double kMost = 9.2e18;
  const double ms = std::ceil(seconds * 1000);
  if (problem != std::errc() || seconds < 0 || ms > kMost) {  // the sum overflows in Redis
    run.error("ERR timeout is negative");
    return false;
  }
  timeout_ms = static_cast<std::int64_t>(ms);
  return true;
}

std::string take(Entry& entry, End end) {
  std::string item = end_item(entry, end);
  drop_end(entry, end);
  return item;
}

void wait_for(Execution& run, std::span<const std::string_view> keys, KeyWaiting::Retry retry,
              std::int64_t timeout_ms) {
  if (run.in_transaction) {
    run.reply.type = Reply::Type::null_array;
    return;
  }
  run.deferred = true;
  run.server.key_waiting().add(run.session, run.spec, run.command, keys, retry, timeout_ms);
}

Command pop_from(const Command& command, std::string_view key) {
  return Command{command[0], key, "0"};
}

void pop(Execution& run, End end) {
  std::int64_t timeout_ms = 0;
  if (!read_timeout(run, run[run.size() - 1], timeout_ms)) return;
  std::vector<std::string_view> keys;
  for (std::size_t i = 1; i + 1 < run.size(); ++i) {
    keys.push_back(run[i]);
    Entry* entry = nullptr;
    if (!run.find(run[i], ValueType::list, entry)) return;
    if (entry == nullptr) continue;
    run.array();
    run.element(run[i]);
    run.element(take(*entry, end));
    run.data.changed(*entry, EventClass::list, pop_event(end));
    if (Command* effect = run.changed_as()) {
      effect->add(end == End::tail ? "RPOP" : "LPOP").add(run[i]);
    }
    return;
  }
  wait_for(run, keys, pop_from, timeout_ms);
}
void blpop(Execution& run) { pop(run, End::head); }
void brpop(Execution& run) { pop(run, End::tail); }

struct Move {
  std::string_view from;
  std::string_view to;
  End take;
  End put;
};

Command same_again(const Command& command, std::string_view) { return command; }

void move(Execution& run, const Move& move) {
  std::int64_t timeout_ms = 0;
  if (!read_timeout(run, run[run.size() - 1], timeout_ms)) return;
  Entry* source = nullptr;
  if (!run.find(move.from, ValueType::list, source)) return;
  if (source == nullptr) return wait_for(run, {&move.from, 1}, same_again, timeout_ms);
  Entry* target = nullptr;
  if (!run.find(move.to, ValueType::list, target)) return;
  const std::string item = take(*source, move.take);
  Entry& list = run.data.open(move.to, ValueType::list);
  push_item(run, list, move.put, item);
  run.data.touched(list, EventClass::list, push_event(move.put));
  run.data.changed(*source, EventClass::list, pop_event(move.take));
  run.bulk(item);
  if (Command* effect = run.changed_as()) {
    const auto word = [](End end) { return end == End::tail ? "RIGHT" : "LEFT"; };
    effect->add("LMOVE").add(move.from).add(move.to).add(word(move.take)).add(word(move.put));
  }
}

void blmove(Execution& run) {
  Move wanted{run[1], run[2], End::head, End::head};
  if (!read_end(run, 3, wanted.take) || !read_end(run, 4, wanted.put)) return;
  move(run, wanted);
}

void brpoplpush(Execution& run) { move(run, {run[1], run[2], End::tail, End::head}); }

constexpr std::uint32_t kPops = kWrites | kNotInScript | kBlocking;
constexpr CommandSpec kBlockingCommands[] = {
    {"blpop", -3, kPops, 1, -2, 1, blpop},
    {"brpop", -3, kPops, 1, -2, 1, brpop},
    {"blmove", 6, kPops | kGrows, 1, 2, 1, blmove},
    {"brpoplpush", 4, kPops | kGrows, 1, 2, 1, brpoplpush},
};

}  // namespace

std::span<const CommandSpec> blocking_commands() { return kBlockingCommands; }

}  // namespace holdfast::sim::redis
