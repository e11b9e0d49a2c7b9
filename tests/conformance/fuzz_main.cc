// holdfast_fuzz: random command sequences on a real redis-server and on the simulated one, until
// their answers differ.
//
//   holdfast_fuzz [--seed N] [--sequences N | --commands N] [--server PATH] [--from NUMBER]
//
// Exit codes: 0 no difference, 1 a difference (the shortest sequence is printed), 2 bad usage,
// 3 no server.
#include <charconv>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

#include "scenarios/live/proof.h"
#include "tests/conformance/fuzz_compare.h"

namespace holdfast::conformance {
namespace {

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t from = 0;  // the first sequence's number
  std::uint64_t sequences = 1000;
  std::uint64_t commands = ~std::uint64_t{0};
  std::string server = {};
};

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("'" + text + "' is not a number");
  }
  return value;
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i];
    if (i + 1 == count) throw std::invalid_argument(name + " has no value");
    const std::string value = arguments[i + 1];
    if (name == "--seed") {
      options.seed = number(value);
    } else if (name == "--from") {
      options.from = number(value);
    } else if (name == "--sequences") {
      options.sequences = number(value);
    } else if (name == "--commands") {
      options.commands = number(value);
      options.sequences = ~std::uint64_t{0};
    } else if (name == "--server") {
      options.server = value;
    } else {
      throw std::invalid_argument("unknown option " + name);
    }
  }
  return options;
}

int report(const Options& options, std::uint64_t sequence_number, Side& simulated, Side& real) {
  const Sequence whole = generate(options.seed, sequence_number);
  const Sequence shortest = shrink(whole, simulated, real);
  const auto difference = compare(shortest, simulated, real);
  std::printf("sequence %llu of seed %llu differs; the shortest that does:\n%s",
              static_cast<unsigned long long>(sequence_number),
              static_cast<unsigned long long>(options.seed), text_of(shortest).c_str());
  if (difference) {
    std::printf("on connection %d\n  simulated  %s\n  real       %s\n", difference->connection,
                difference->first.c_str(), difference->second.c_str());
  }
  std::printf("again: holdfast_fuzz --seed %llu --from %llu --sequences 1\n",
              static_cast<unsigned long long>(options.seed),
              static_cast<unsigned long long>(sequence_number));
  return 1;
}

int fuzz(const Options& options) {
  const auto simulated = simulated_side();
  const auto real = real_side(options.server);
  const Instant begun = live::host_now();
  std::uint64_t commands = 0;
  std::uint64_t done = 0;
  while (done < options.sequences && commands < options.commands) {
    const Sequence sequence = generate(options.seed, options.from + done);
    if (compare(sequence, *simulated, *real)) {
      return report(options, options.from + done, *simulated, *real);
    }
    commands += sequence.size();
    ++done;
  }
  const auto milliseconds = (live::host_now() - begun) / std::chrono::milliseconds(1);
  std::printf("no difference in %llu sequences, %llu commands, %lld ms\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(commands),
              static_cast<long long>(milliseconds));
  return 0;
}

}  // namespace
}  // namespace holdfast::conformance

int main(int count, char** arguments) {
  try {
    return holdfast::conformance::fuzz(holdfast::conformance::read_options(count, arguments));
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 3;
  }
}
