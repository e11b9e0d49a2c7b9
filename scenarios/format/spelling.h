// How files write the values of enumerations.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockcore/observer.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

template <typename Enum>
class Spelling {
 public:
  Spelling(std::initializer_list<std::pair<std::string_view, Enum>> pairs) {
    for (const auto& [word, value] : pairs) {
      words_.emplace_back(word);
      values_.push_back(value);
    }
  }
  const std::vector<std::string>& words() const { return words_; }
  Enum value(std::size_t index) const { return values_[index]; }
  std::optional<Enum> find(std::string_view word) const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    if (found == words_.end()) return std::nullopt;
    return values_[static_cast<std::size_t>(found - words_.begin())];
  }
  const std::string& word(Enum value) const {
    const auto found = std::find(values_.begin(), values_.end(), value);
    return words_[static_cast<std::size_t>(found - values_.begin())];
  }

 private:
  std::vector<std::string> words_;
  std::vector<Enum> values_;
};

const Spelling<Persistence>& persistence_words();
const Spelling<RedisVersion>& version_words();
const Spelling<Point>& point_words();
const Spelling<Lane>& lane_words();
const Spelling<LockSpec::Algorithm>& algorithm_words();
const Spelling<Believes>& believes_words();
const Spelling<TokenKind>& token_words();
const Spelling<ProtocolClock>& protocol_clock_words();
const Spelling<Step::OnFailure>& on_failure_words();
const Spelling<FaultSpec::Cut>& cut_words();
const Spelling<FaultSpec::Direction>& direction_words();
const Spelling<Expectation>& expectation_words();
const Spelling<AcquireOutcome>& acquire_outcome_words();
const Spelling<ReleaseOutcome>& release_outcome_words();

// The invariants that `expect` and `violates` can name, and those that are planned but not built.
const std::vector<std::string>& invariant_words();
const std::vector<std::string>& planned_invariant_words();

}  // namespace holdfast::scenario
