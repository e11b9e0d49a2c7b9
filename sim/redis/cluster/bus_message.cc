#include "sim/redis/cluster/bus_message.h"

#include <charconv>
#include <cstddef>

namespace holdfast::sim::redis {

namespace {

class NumberWriter {
 public:
  template <class Number>
  NumberWriter& operator<<(Number number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end).push_back(' ');
    return *this;
  }
  std::string text;
};

class NumberReader {
 public:
  explicit NumberReader(std::string_view text)
      : at_(text.data()), end_(text.data() + text.size()) {}

  template <class Number>
  NumberReader& operator>>(Number& number) {
    const auto [next, error] = std::from_chars(at_, end_, number);
    good_ = good_ && error == std::errc() && next != end_;
    at_ = good_ ? next + 1 : end_;
    return *this;
  }
  bool good() const { return good_; }
  bool at_end() const { return at_ == end_; }

 private:
  const char* at_;
  const char* end_;
  bool good_ = true;
};

enum WireFlags : unsigned { kSaysPaused = 1, kSaysForced = 2, kSaysMaybeDown = 4, kSaysDown = 8 };

}  // namespace

std::string BusMessage::written() const {
  NumberWriter out;
  out << static_cast<unsigned>(kind) << sender << epoch << config_epoch << offset << master;
  out << ((is_paused ? kSaysPaused : 0U) | (is_forced ? kSaysForced : 0U)) << about << slots.size();
  for (const SlotRange& range : slots) out << range.first << range.last;
  for (const Gossip& each : gossip) {
    out << each.about << ((each.maybe_down ? kSaysMaybeDown : 0U) | (each.down ? kSaysDown : 0U))
        << each.pong_s;
  }
  return out.text;
}

std::optional<BusMessage> BusMessage::read(std::string_view text) {
  BusMessage message;
  NumberReader in(text);
  unsigned kind = 0;
  unsigned flags = 0;
  std::size_t ranges = 0;
  in >> kind >> message.sender >> message.epoch >> message.config_epoch >> message.offset;
  in >> message.master >> flags >> message.about >> ranges;
  if (!in.good() || kind > static_cast<unsigned>(BusKind::update) || ranges > kSlots) {
    return std::nullopt;
  }
  message.kind = static_cast<BusKind>(kind);
  message.is_paused = (flags & kSaysPaused) != 0;
  message.is_forced = (flags & kSaysForced) != 0;
  message.slots.resize(ranges);
  for (SlotRange& range : message.slots) in >> range.first >> range.last;
  while (in.good() && !in.at_end()) {
    Gossip& each = message.gossip.emplace_back();
    in >> each.about >> flags >> each.pong_s;
    each.maybe_down = (flags & kSaysMaybeDown) != 0;
    each.down = (flags & kSaysDown) != 0;
  }
  return in.good() ? std::optional<BusMessage>(std::move(message)) : std::nullopt;
}

}  // namespace holdfast::sim::redis
