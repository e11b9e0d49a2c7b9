#include "reports/judge/time_words.h"

namespace holdfast::judge {

std::string instant_text(history::Nanos at) {
  const history::Nanos ms = (at + 500'000) / 1'000'000;
  const std::string fraction = std::to_string(1000 + ms % 1000);
  return std::to_string(ms / 1000) + "." + fraction.substr(1) + " s";
}

std::string span_text(history::Nanos length) {
  std::string digits = std::to_string((length + 999'999'999) / 1'000'000'000);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits + " s";
}

}  // namespace holdfast::judge
