#include "tests/conformance/fuzz_sequence.h"

#include <array>
#include <chrono>
#include <string_view>

#include "tests/conformance/command_words.h"
#include "tests/conformance/fuzz_script.h"
#include "tests/conformance/fuzz_words.h"

namespace holdfast::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::array<Duration, 14> kClockSteps{1ms,   1ms, 10ms, 99ms, 100ms, 101ms, 999us,
                                               500us, 1s,  2s,   1min, -50ms, -1s,   1h};

// Which families a sequence uses, how often, and what else happens is decided once a sequence, so
// that some sequences are about one thing and others about all.
class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t number)
      : random_(seed, sim::Purpose::faults, number), words_(random_) {
    for (std::uint64_t& weight : weights_) {
      weight = random_.chance(500'000) ? 1 + random_.below(10) : 0;
    }
    if (random_.chance(700'000)) weights_[index(Family::messages)] = 0;
    if (random_.chance(700'000)) weights_[index(Family::blocking)] = 0;
    if (weights_[index(Family::transactions)] > 0) weights_[index(Family::blocking)] = 0;
    weights_[index(Family::strings)] += 1;
    connections_ = static_cast<int>(1 + random_.below(kConnections));
    stepping_ = random_.chance(600'000) ? 100'000 : 0;
    reading_ = random_.chance(400'000) ? 80'000 : 0;
    joining_ = static_cast<std::uint32_t>(random_.below(900'000));
    scripting_ = random_.chance(400'000) ? static_cast<std::uint32_t>(random_.below(700'000)) : 0;
    spoiling_ = random_.chance(500'000) ? 50'000 : 0;
  }

  Sequence sequence() {
    const std::uint64_t length = 5 + random_.below(70);
    Sequence result;
    while (result.size() < length) result.push_back(step());
    for (int connection = 0; connection < connections_; ++connection) {
      result.push_back({connection, false, Command{"ping", "end"}, {}});
    }
    return result;
  }

 private:
  static std::size_t index(Family family) { return static_cast<std::size_t>(family); }

  FuzzStep step() {
    if (random_.chance(stepping_))
      return {0, false, {}, kClockSteps[random_.below(kClockSteps.size())]};
    if (random_.chance(reading_)) return {kOnReplica, false, command(), {}};
    if (!random_.chance(400'000))
      connection_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(connections_)));
    return {connection_, random_.chance(joining_), command(), {}};
  }

  Command command() {
    if (random_.chance(scripting_)) return random_script(random_);
    Command made = words_.expand(choose());
    if (random_.chance(spoiling_)) words_.spoil(made);
    return made;
  }

  std::string_view choose() {
    const auto commands = known_commands();
    while (true) {
      const CommandTemplate& one = commands[random_.below(commands.size())];
      if (random_.below(11) < weights_[index(one.family)]) return one.words;
    }
  }

  sim::Random random_;
  Words words_;
  std::array<std::uint64_t, static_cast<std::size_t>(Family::count)> weights_{};
  int connections_ = 1;
  int connection_ = 0;
  std::uint32_t stepping_ = 0;  // chances in a million
  std::uint32_t reading_ = 0;   // of the replica
  std::uint32_t joining_ = 0;
  std::uint32_t scripting_ = 0;
  std::uint32_t spoiling_ = 0;
};

}  // namespace

Sequence generate(std::uint64_t seed, std::uint64_t number) {
  return Generator(seed, number).sequence();
}

std::string text_of(const Sequence& sequence) {
  std::string text;
  for (const FuzzStep& step : sequence) {
    if (step.command.empty()) {
      text += "  clock  " + std::to_string(step.clock_step / 1us) + " us\n";
      continue;
    }
    text += step.connection == kOnReplica ? "  replica"
                                          : "  conn " + std::to_string(step.connection) + " ";
    text += (step.joined ? " + " : "   ") + typed(step.command) + "\n";
  }
  return text;
}

}  // namespace holdfast::conformance
