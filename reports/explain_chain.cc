#include "reports/explain_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;

// Live, a fault is logged by the runner and its effect by another process of the same host: the
// two may be swapped by less than this.
constexpr history::Nanos kLogSkew = 50'000'000;

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// Whether `text` has `name` as a word of its own.
bool names_it(const std::string& text, const std::string& name) {
  if (name.empty() || name == "?") return false;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !letter(text[at - 1]);
    const bool ends = end == text.size() || !letter(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

// "A stopped running until 17.100 s": how long it lasted is half of what a reader wants to know.
std::string effect_text(const Record& record, EventIndex index) {
  const Event& e = record.event(index);
  std::string text = describe(record.history, e);
  Kind ended = Kind::none;
  if (e.kind == Kind::process_paused) ended = Kind::process_resumed;
  if (e.kind == Kind::node_paused) ended = Kind::node_resumed;
  if (ended == Kind::none) return text;
  for (EventIndex i = index; i < record.history.events.size(); ++i) {
    const Event& later = record.event(i);
    if (later.kind == ended && later.actor == e.actor && later.node == e.node) {
      return fmt::format("{} until {}", text, seconds(later.at));
    }
  }
  return text + " and never ran again";
}

}  // namespace

std::uint32_t fault_behind(const Record& record, EventIndex effect) {
  const Event& e = record.event(effect);
  std::vector<std::string> involved = {actor_name(record.history, e.actor),
                                       node_name(record.history, e.node)};
  for (const history::NodeSetup& node : record.history.setup.nodes) {
    if (e.kind == Kind::replication_held && node.node == e.node) {
      involved.push_back(node_name(record.history, node.replica_of));
    }
  }
  std::uint32_t found = 0;
  // Smaller is nearer: fewer names missed, then time, then place in the record.
  std::tuple<std::int64_t, history::Nanos, std::int64_t> nearest;
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& fault = record.event(i);
    if (fault.kind != Kind::fault_fired || fault.at > e.at + kLogSkew || fault.a <= 0) continue;
    if (static_cast<std::size_t>(fault.a) >= record.history.fault_text.size()) continue;
    const std::string& text = record.history.fault_text[static_cast<std::size_t>(fault.a)];
    const std::int64_t named =
        std::count_if(involved.begin(), involved.end(),
                      [&text](const std::string& name) { return names_it(text, name); });
    const std::tuple distance{-named, std::abs(fault.at - e.at),
                              std::abs(std::int64_t{i} - std::int64_t{effect})};
    if (named == 0 || (found != 0 && distance >= nearest)) continue;
    found = static_cast<std::uint32_t>(fault.a);
    nearest = distance;
  }
  return found;
}

void Chain::add(Link link) {
  for (Link& known : links_) {
    if (known.event != link.event) continue;
    const int weight = std::max(known.weight, link.weight);
    // What names the fault behind it says more than what does not.
    const bool better = link.faults.empty() == known.faults.empty() ? link.weight > known.weight
                                                                    : known.faults.empty();
    if (better) known = std::move(link);
    known.weight = weight;
    return;
  }
  links_.push_back(std::move(link));
}

void Chain::add(EventIndex event, int weight, std::string text) {
  if (event == kNoEvent || event >= record_.history.events.size()) return;
  add(Link{event, weight, std::move(text)});
}

void Chain::add(EventIndex event, int weight) {
  if (event == kNoEvent || event >= record_.history.events.size()) return;
  add(Link{event, weight, describe(record_.history, record_.event(event))});
}

void Chain::add_effect(EventIndex effect, int weight) {
  if (effect == kNoEvent || effect >= record_.history.events.size()) return;
  add_effects({effect}, weight, effect_text(record_, effect));
}

void Chain::add_effects(const std::vector<EventIndex>& effects, int weight, std::string text) {
  if (effects.empty()) return;
  Link link{effects.front(), weight, std::move(text)};
  for (const EventIndex effect : effects) {
    const std::uint32_t fault = fault_behind(record_, effect);
    if (fault == 0) continue;
    if (std::find(link.faults.begin(), link.faults.end(), fault) != link.faults.end()) continue;
    link.faults.push_back(fault);
  }
  if (link.faults.size() == 1) {
    link.text += fmt::format(" ({})", fault_name(record_.history, link.faults.front()));
  } else if (!link.faults.empty()) {
    std::vector<std::string> names;
    names.reserve(link.faults.size());
    std::sort(link.faults.begin(), link.faults.end());
    for (const std::uint32_t fault : link.faults) names.push_back(fmt::format("F{}", fault));
    link.text += fmt::format(" ({})", listed(names));
  }
  add(std::move(link));
}

bool Chain::has(EventIndex event) const {
  return std::any_of(links_.begin(), links_.end(),
                     [event](const Link& link) { return link.event == event; });
}

void Chain::add_loose_faults(EventIndex violation) {
  for (EventIndex i = 0; i < violation && i < record_.history.events.size(); ++i) {
    const Event& e = record_.event(i);
    if (e.kind != Kind::fault_fired || e.a <= 0) continue;
    const auto fault = static_cast<std::uint32_t>(e.a);
    const bool known = std::any_of(links_.begin(), links_.end(), [fault](const Link& link) {
      return std::find(link.faults.begin(), link.faults.end(), fault) != link.faults.end();
    });
    if (known) continue;
    add(Link{i, weight::kLooseFault, describe(record_.history, e), {fault}});
  }
}

std::vector<Cause> Chain::causes() const {
  std::vector<Link> kept = links_;
  std::sort(kept.begin(), kept.end(), [](const Link& a, const Link& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.event < b.event;
  });
  std::size_t count = 0;
  while (count < kept.size() && kept[count].weight > weight::kFiller) ++count;
  kept.resize(std::min(kept.size(), std::clamp(count, kLeast, kMost)));
  // A change of a clock is written just after the expiry that it caused, at the same instant.
  const auto order = [this](const Link& link) {
    const Event& e = record_.event(link.event);
    const bool clock = e.kind == Kind::clock_stepped || e.kind == Kind::clock_rate;
    return std::tuple{e.at, clock ? 0 : 1, link.event};
  };
  std::sort(kept.begin(), kept.end(),
            [&order](const Link& a, const Link& b) { return order(a) < order(b); });
  std::vector<Cause> causes;
  causes.reserve(kept.size());
  for (Link& link : kept) {
    const std::uint32_t fault = link.faults.empty() ? 0 : link.faults.front();
    causes.push_back({record_.event(link.event).at, std::move(link.text), link.event, fault});
  }
  return causes;
}

}  // namespace holdfast::report
