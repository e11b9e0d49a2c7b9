// Doing one sequence to two servers and comparing what they say; finding the shortest sequence that
// still shows a difference.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tests/conformance/fuzz_side.h"

namespace holdfast::conformance {

struct Difference {
  std::size_t step = 0;  // after which it showed
  int connection = 0;
  std::string first;  // what each said there
  std::string second;
};

// What comes is asked of `first` first: it must be the one that answers at once (simulated).
std::optional<Difference> compare(const Sequence& sequence, Side& first, Side& second);

// A sequence of which no step can be left out; `sequence` shows a difference.
Sequence shrink(Sequence sequence, Side& first, Side& second);

}  // namespace holdfast::conformance
