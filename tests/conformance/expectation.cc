#include "tests/conformance/expectation.h"

namespace holdfast::conformance {
namespace {

std::string in_ms(Duration time) {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return std::to_string(micros / 1000) + "." + std::to_string(micros % 1000 + 1000).substr(1) +
         " ms";
}

}  // namespace

std::string reply_text(const Reply& reply) {
  std::string_view opening = "[";
  switch (reply.type) {
    case Reply::Type::nil:
      return "nil";
    case Reply::Type::null_array:
      return "nil[]";
    case Reply::Type::null:
      return "_";
    case Reply::Type::status:
      return "+" + reply.text;
    case Reply::Type::error:
      return "-" + reply.text;
    case Reply::Type::integer:
      return ":" + std::to_string(reply.integer);
    case Reply::Type::bulk:
      return "'" + reply.text + "'";
    case Reply::Type::real:
      return "," + reply.text;
    case Reply::Type::boolean:
      return reply.integer != 0 ? "#t" : "#f";
    case Reply::Type::verbatim:
      return "='" + reply.text + "'";
    case Reply::Type::array:
      break;
    case Reply::Type::map:
      opening = "%[";
      break;
    case Reply::Type::set:
      opening = "~[";
      break;
    case Reply::Type::push:
      opening = ">[";
      break;
  }
  std::string text(opening);
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    text += (i == 0 ? "" : " ") + reply_text(reply.elements[i]);
  }
  return text + "]";
}

std::string answer_text(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::reply:
      return reply_text(answer.reply);
    case Answer::Kind::silence:
      return "silence";
    case Answer::Kind::closed:
      return "closed";
    case Answer::Kind::refused:
      return "refused";
  }
  return {};
}

Expectation begins(std::string_view text) { return {Expectation::Kind::begins, text, 0, 0}; }
Expectation falling(std::int64_t milliseconds) {
  const auto allowance = late_allowance(std::chrono::milliseconds(milliseconds)) / 1ms;
  return {Expectation::Kind::falling, "", milliseconds - allowance, milliseconds};
}
Expectation number(std::int64_t least, std::int64_t greatest) {
  return {Expectation::Kind::number, "", least, greatest};
}
Expectation any() { return {Expectation::Kind::any, "", 0, 0}; }
Expectation closed() { return {Expectation::Kind::closed, "", 0, 0}; }
Expectation refused() { return {Expectation::Kind::refused, "", 0, 0}; }
Expectation silence() { return {Expectation::Kind::silence, "", 0, 0}; }

std::string Expectation::text() const {
  switch (kind_) {
    case Kind::equal:
      return text_;
    case Kind::begins:
      return text_ + "...";
    case Kind::falling:
      return ":" + std::to_string(greatest_) + " or a little less";
    case Kind::number:
      return ":" + std::to_string(least_) + " to :" + std::to_string(greatest_);
    case Kind::any:
      return "a reply";
    case Kind::closed:
      return "closed";
    case Kind::refused:
      return "refused";
    case Kind::silence:
      return "silence";
  }
  return {};
}

Finding Expectation::judge(const Answer& answer, bool exact) const {
  const std::string got = answer_text(answer);
  const bool replied = answer.kind == Answer::Kind::reply;
  const bool integer = replied && answer.reply.type == Reply::Type::integer;
  const std::int64_t value = answer.reply.integer;
  bool good = false;
  switch (kind_) {
    case Kind::equal:
      good = got == text_;
      break;
    case Kind::begins:
      good = got.starts_with(text_);
      break;
    case Kind::falling:
      good = integer && value <= greatest_ && value >= (exact ? greatest_ : least_);
      break;
    case Kind::number:
      good = integer && value >= least_ && value <= greatest_;
      break;
    case Kind::any:
      good = replied;
      break;
    case Kind::closed:
    case Kind::refused:
    case Kind::silence:
      good = got == text();
      break;
  }
  if (good) return {};
  const bool late = kind_ == Kind::falling && integer && value < least_;
  return {"answers " + got + ", not " + text(), late};
}

Finding Timing::judge(Duration taken, bool exact) const {
  if (taken < from - (exact ? Duration() : kGrain)) {
    return {"comes after " + in_ms(taken) + ", before " + in_ms(from)};
  }
  if (by == Duration::max()) return {};
  const Duration latest = exact ? by : by + late_allowance(by);
  if (taken > latest) return {"comes after " + in_ms(taken) + ", later than " + in_ms(by), !exact};
  return {};
}

}  // namespace holdfast::conformance
