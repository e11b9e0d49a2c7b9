#include "sim/redis/sorted_set_scores.h"

#include <utility>

#include "sim/redis/float_text.h"

namespace holdfast::sim::redis {

void set_score(Value& set, std::string_view name, double score, const EncodingLimits& limits) {
  const bool is_new = set.sorted.score(name) == nullptr;
  if (is_new &&
      (name.size() > limits.sorted_set_value || set.sorted.size() >= limits.sorted_set_entries)) {
    set.form = Value::Form::large;
  }
  // The compact form keeps whole numbers as integers: there is no -0 in it.
  set.sorted.set(name, set.form == Value::Form::large ? score : score + 0.0);
}

void show_member(Execution& run, const SortedSet::Member& member, bool with_score, bool paired) {
  if (!with_score || !paired || !run.resp3()) {
    run.element(member.name);
    if (with_score) run.real_element(member.value);
    return;
  }
  Reply score = Reply::bulk(ScoreText(member.value).view());
  score.type = Reply::Type::real;
  run.reply.elements.push_back(Reply::array({Reply::bulk(member.name), std::move(score)}));
}

void show_members(Execution& run, const SortedSet& set, RankRange range, bool reverse,
                  bool with_scores, bool paired) {
  for (std::size_t i = 0; i < range.count; ++i) {
    const std::size_t rank = reverse ? range.first + range.count - 1 - i : range.first + i;
    show_member(run, set[rank], with_scores, paired);
  }
}

}  // namespace holdfast::sim::redis
