#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scenarios/format/duration.h"
#include "scenarios/format/fact.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/spelling.h"

namespace holdfast::scenario {
namespace {

const Spelling<FactEvent>& event_words() {
  static const Spelling<FactEvent> words{
      {"acquired", FactEvent::acquired},   {"failed", FactEvent::failed},
      {"renewed", FactEvent::renewed},     {"lost", FactEvent::lost},
      {"released", FactEvent::released},   {"left", FactEvent::left},
      {"wrote", FactEvent::wrote},         {"was refused", FactEvent::was_refused},
      {"read", FactEvent::read},           {"executed", FactEvent::executed},
      {"deleted", FactEvent::deleted},     {"expired", FactEvent::expired},
      {"paused", FactEvent::paused},       {"crashed", FactEvent::crashed},
      {"restarted", FactEvent::restarted}, {"promoted", FactEvent::promoted},
      {"told of loss", FactEvent::lost}};
  return words;
}

const Spelling<Fact::State>& state_words() {
  static const Spelling<Fact::State> words{{"paused", Fact::State::paused},
                                           {"crashed", Fact::State::crashed},
                                           {"inside", Fact::State::inside},
                                           {"holding", Fact::State::holding}};
  return words;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// Goes through the words from left to right; the first thing wrong ends it.
class FactParser {
 public:
  explicit FactParser(std::string_view text) : words_(split(text)) {}

  std::variant<Fact, std::string> parse() {
    Fact fact;
    if (words_.empty()) return std::string("a fact must not be empty");
    fact.pattern.who = take();
    fact.never = take_if("never");
    parse_event(fact.pattern);
    if (wrong_.empty()) parse_times(fact);
    if (wrong_.empty()) parse_relation(fact);
    if (wrong_.empty() && !done()) {
      fail(
          fmt::format("\"{}\" is not understood here; expected \"at least N times\", \"while\", "
                      "\"before\", \"after\" or the end",
                      words_[next_]));
    }
    if (!wrong_.empty()) return wrong_;
    return fact;
  }

 private:
  bool done() const { return next_ == words_.size(); }
  std::string_view peek(std::size_t ahead = 0) const {
    return next_ + ahead < words_.size() ? std::string_view(words_[next_ + ahead])
                                         : std::string_view();
  }
  std::string take() { return done() ? std::string() : words_[next_++]; }
  bool take_if(std::string_view word) {
    if (peek() != word) return false;
    ++next_;
    return true;
  }
  void fail(std::string message) {
    if (wrong_.empty()) wrong_ = std::move(message);
  }

  void parse_event(FactPattern& pattern) {
    std::string word = take();
    if (word == "was") word += ' ' + take();
    if (word == "told") {
      word += ' ' + take();
      word += ' ' + take();
    }
    const auto event = event_words().find(word);
    if (!event) {
      fail(fmt::format("there is no event \"{}\" of \"{}\"{}", word, pattern.who,
                       suggestion(word, event_words().words())));
      return;
    }
    pattern.event = *event;
    if (*event == FactEvent::failed) parse_outcomes(pattern, acquire_outcome_words());
    if (*event == FactEvent::released) parse_outcomes(pattern, release_outcome_words());
  }

  template <typename Outcome>
  void parse_outcomes(FactPattern& pattern, const Spelling<Outcome>& words) {
    static const std::vector<std::string> kGoesOn{"at", "while", "before", "after"};
    if (done() || std::find(kGoesOn.begin(), kGoesOn.end(), peek()) != kGoesOn.end()) return;
    do {
      const std::string word = take();
      const auto outcome = words.find(word);
      if (!outcome) {
        fail(fmt::format("there is no outcome \"{}\"{}", word, suggestion(word, words.words())));
        return;
      }
      pattern.outcomes.push_back(static_cast<std::int64_t>(*outcome));
    } while (take_if("or"));
  }

  void parse_times(Fact& fact) {
    if (peek() != "at") return;
    const std::string number(peek(2));
    std::uint64_t times = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), times);
    const bool whole = error == std::errc() && end == number.data() + number.size() && times > 0;
    const bool unit = peek(3) == "times" || (times == 1 && peek(3) == "time");
    if (peek(1) != "least" || !whole || !unit) {
      fail("expected \"at least N times\", with N a whole number above 0");
      return;
    }
    if (fact.never) fail("\"never\" contradicts \"at least\"");
    fact.times = times;
    next_ += 4;
  }

  void parse_relation(Fact& fact) {
    if (take_if("while")) {
      fact.relation = Fact::Relation::during;
      parse_state(fact);
      return;
    }
    const bool before = take_if("before");
    if (!before && !take_if("after")) return;
    fact.relation = before ? Fact::Relation::before : Fact::Relation::after;
    if (done()) {
      fail("expected a duration, or who and an event, at the end");
      return;
    }
    fact.time = parse_duration(peek());
    if (fact.time) {
      ++next_;
      return;
    }
    fact.mark.emplace();
    fact.mark->who = take();
    if (done()) {
      fail(fmt::format("\"{}\" is neither a duration, nor followed by an event", fact.mark->who));
      return;
    }
    parse_event(*fact.mark);
  }

  void parse_state(Fact& fact) {
    fact.other = take();
    if (fact.other.empty() || !take_if("is")) {
      fail("expected \"while WHO is STATE\"");
      return;
    }
    const std::string word = take();
    const auto state = state_words().find(word);
    if (state) {
      fact.state = *state;
    } else {
      fail(
          fmt::format("there is no state \"{}\"{}", word, suggestion(word, state_words().words())));
    }
  }

  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::string wrong_;
};

}  // namespace

bool of_client(FactEvent event) {
  return event != FactEvent::executed && event != FactEvent::deleted &&
         event != FactEvent::expired && event != FactEvent::promoted;
}

bool of_server(FactEvent event) {
  return !of_client(event) || event == FactEvent::paused || event == FactEvent::crashed ||
         event == FactEvent::restarted;
}

std::variant<Fact, std::string> parse_fact(std::string_view text) {
  return FactParser(text).parse();
}

}  // namespace holdfast::scenario
