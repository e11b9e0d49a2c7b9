#include "sim/redis/keyspace_events.h"

#include "sim/redis/integer_text.h"
#include "sim/redis/pubsub.h"

namespace holdfast::sim::redis {

namespace {

// In the order in which CONFIG GET shows them. The first kInA are what "A" stands for.
constexpr std::string_view kLetters = "g$lshzxetdnKEm";
constexpr std::size_t kInA = 10;
constexpr std::uint32_t kAll = (1U << kInA) - 1;

std::optional<std::uint32_t> parse(std::string_view letters) {
  std::uint32_t classes = 0;
  for (const char letter : letters) {
    const std::size_t at = kLetters.find(letter);
    if (letter == 'A') {
      classes |= kAll;
    } else if (at != std::string_view::npos) {
      classes |= 1U << at;
    } else {
      return std::nullopt;
    }
  }
  return classes;
}

bool has(std::uint32_t classes, char letter) {
  return (classes >> kLetters.find(letter) & 1U) != 0;
}

}  // namespace

std::optional<std::string> KeyspaceEvents::canonical(std::string_view letters) {
  const auto classes = parse(letters);
  if (!classes) return std::nullopt;
  const bool all = (*classes & kAll) == kAll;
  std::string text = all ? "A" : "";
  for (std::size_t i = all ? kInA : 0; i < kLetters.size(); ++i) {
    if ((*classes >> i & 1U) != 0) text.push_back(kLetters[i]);
  }
  return text;
}

void KeyspaceEvents::configure(std::string_view letters) {
  classes_ = parse(letters).value_or(0);
  if (!has(classes_, 'K') && !has(classes_, 'E')) classes_ = 0;  // nowhere to publish
}

void KeyspaceEvents::publish(const Entry& entry, EventClass kind, std::string_view event) {
  if (!has(classes_, static_cast<char>(kind))) return;
  const auto channel = [&entry](std::string_view space, std::string_view name) {
    std::string text("__");
    text.append(space).append("@").append(IntegerText(entry.database).view()).append("__:");
    return text.append(name);
  };
  if (has(classes_, 'K')) pubsub_.publish(channel("keyspace", entry.name), event);
  if (has(classes_, 'E')) pubsub_.publish(channel("keyevent", event), entry.name);
}

}  // namespace holdfast::sim::redis
