#include "tests/conformance/fuzz_compare.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tests/conformance/expectation.h"
#include "tests/conformance/fuzz_words.h"

namespace holdfast::conformance {
namespace {

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

// Elements in the order of their texts, deeply; those of HGETALL stay in pairs.
void sort_elements(Reply& reply, bool pairs) {
  auto& elements = reply.elements;
  for (Reply& element : elements) sort_elements(element, false);
  if (pairs && elements.size() % 2 == 0) {
    std::vector<Reply> paired;
    for (std::size_t i = 0; i < elements.size(); i += 2) {
      paired.push_back(Reply::array({elements[i], elements[i + 1]}));
    }
    elements = std::move(paired);
  }
  std::sort(elements.begin(), elements.end(), [](const Reply& left, const Reply& right) {
    return reply_text(left) < reply_text(right);
  });
}

// The answers to an UNSUBSCRIBE of everything come in the order of a hash table: their names in
// order.
void sort_left_channels(std::vector<Reply>& replies) {
  std::vector<Reply*> names;
  for (Reply& reply : replies) {
    if (reply.elements.size() != 3 || !reply.elements[0].text.ends_with("unsubscribe")) continue;
    names.push_back(&reply.elements[1]);
  }
  std::vector<Reply> sorted;
  for (const Reply* name : names) sorted.push_back(*name);
  std::sort(sorted.begin(), sorted.end(), [](const Reply& left, const Reply& right) {
    return reply_text(left) < reply_text(right);
  });
  for (std::size_t i = 0; i < names.size(); ++i) *names[i] = std::move(sorted[i]);
}

// The commands of one write, and what came on one connection after it.
class Comparison {
 public:
  // `free_before`: earlier commands of the connection whose answers may come now have no order.
  Comparison(std::span<const Command> commands, bool free_before) : free_before_(free_before) {
    for (const Command& command : commands) {
      names_.push_back(lower_case(command[0]));
      if (command.size() == 1 && names_.back().ends_with("unsubscribe")) leaves_all_ = true;
    }
  }

  std::string text(std::vector<Reply> replies) const {
    if (leaves_all_) sort_left_channels(replies);
    const bool any_free = free_before_ || answers_freely();
    std::string text;
    for (std::size_t i = 0; i < replies.size(); ++i) {
      const bool known = replies.size() == names_.size();
      if (known ? answers_in_no_order(names_[i]) : any_free) {
        sort_elements(replies[i], known && names_[i] == "hgetall");
      }
      text += (i == 0 ? "" : "  ") + reply_text(replies[i]);
    }
    return text.empty() ? "nothing" : text;
  }

  bool answers_freely() const {
    return std::any_of(names_.begin(), names_.end(), answers_in_no_order);
  }

 private:
  std::vector<std::string> names_;
  bool free_before_ = false;
  bool leaves_all_ = false;
};

class Run {
 public:
  Run(const Sequence& sequence, Side& first, Side& second)
      : sequence_(sequence), first_(first), second_(second) {}

  std::optional<Difference> run() {
    first_.begin();
    second_.begin();
    for (std::size_t at = 0; at < sequence_.size() && !difference_;) at = step(at);
    return difference_;
  }

 private:
  // Does the step and those that are joined to it; the next one's place.
  std::size_t step(std::size_t at) {
    const FuzzStep& step = sequence_[at];
    std::vector<Command> commands;
    if (step.command.empty()) {
      first_.step_clocks(step.clock_step);
      second_.step_clocks(step.clock_step);
      settle_ = true;
      ++at;
    } else {
      at = gather(at, commands);
      if (step.connection == kOnReplica) {
        first_.wait_for_replica();
        second_.wait_for_replica();
      }
      first_.send(step.connection, commands);
      second_.send(step.connection, commands);
    }
    check(at - 1, step.connection, commands);
    return at;
  }

  std::size_t gather(std::size_t at, std::vector<Command>& commands) {
    const int connection = sequence_[at].connection;
    while (true) {
      commands.push_back(sequence_[at].command);
      const bool joined = sequence_[at].joined;
      ++at;
      if (!joined || at == sequence_.size() || sequence_[at].connection != connection ||
          sequence_[at].command.empty()) {
        return at;
      }
    }
  }

  void check(std::size_t at, int sent_to, std::span<const Command> commands) {
    std::vector<std::vector<Reply>> said;
    for (int connection = 0; connection < kAllConnections; ++connection) {
      said.push_back(first_.take(connection, 0));
    }
    // Somebody waits: the next write must not overtake this one.
    if (said[static_cast<std::size_t>(sent_to)].size() < commands.size()) settle_ = true;
    if (std::exchange(settle_, false)) second_.settle();
    for (int connection = 0; connection < kAllConnections; ++connection) {
      const auto place = static_cast<std::size_t>(connection);
      const auto& here = said[place];
      const Comparison comparison(connection == sent_to ? commands : std::span<const Command>(),
                                  asked_freely_[place]);
      asked_freely_[place] = asked_freely_[place] || comparison.answers_freely();
      const std::string first = comparison.text(here);
      const std::string second = comparison.text(second_.take(connection, here.size()));
      if (first == second) continue;
      difference_ = {at, connection, first, second};
      return;
    }
  }

  std::array<bool, kAllConnections> asked_freely_ = {};
  const Sequence& sequence_;
  Side& first_;
  Side& second_;
  bool settle_ = false;
  std::optional<Difference> difference_;
};

// `sequence` without some of its steps.
Sequence without(const Sequence& sequence, std::size_t from, std::size_t count) {
  Sequence rest(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(from));
  rest.insert(
      rest.end(),
      sequence.begin() + static_cast<std::ptrdiff_t>(std::min(from + count, sequence.size())),
      sequence.end());
  return rest;
}

}  // namespace

std::optional<Difference> compare(const Sequence& sequence, Side& first, Side& second) {
  return Run(sequence, first, second).run();
}

Sequence shrink(Sequence sequence, Side& first, Side& second) {
  const auto differs = [&](const Sequence& candidate) {
    return compare(candidate, first, second).has_value();
  };
  if (const auto found = compare(sequence, first, second)) sequence.resize(found->step + 1);
  for (std::size_t size = std::max<std::size_t>(sequence.size() / 2, 1);; size /= 2) {
    for (std::size_t from = 0; from < sequence.size();) {
      Sequence candidate = without(sequence, from, size);
      if (!candidate.empty() && differs(candidate)) {
        sequence = std::move(candidate);
      } else {
        from += size;
      }
    }
    if (size == 1) break;
  }
  for (FuzzStep& step : sequence) {  // as simple as can be
    const FuzzStep before = step;
    step.joined = false;
    if (step.connection != kOnReplica) step.connection = 0;
    if (!differs(sequence)) step = before;
  }
  return sequence;
}

}  // namespace holdfast::conformance
