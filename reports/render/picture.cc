#include "reports/render/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Nanos;

int lane_of_client(const Picture& picture, const Record& record, history::ActorId actor) {
  const int colour = colour_of(record.history, actor);
  for (std::size_t i = 0; i < picture.lanes.size(); ++i) {
    const Lane& lane = picture.lanes[i];
    if (colour != 0 && lane.kind == LaneKind::client && lane.colour == colour) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string highlight_label(const judge::Witness& witness, judge::Invariant invariant) {
  const Nanos length = witness.overlap.end - witness.overlap.begin;
  switch (invariant) {
    case judge::Invariant::mutual_exclusion:
    case judge::Invariant::promise:
      return "overlap " + span(length);
    case judge::Invariant::backed:
      return "not backed " + span(length);
    default:
      return length > 0 ? fmt::format("{} {}", judge::name(invariant), span(length))
                        : std::string(judge::name(invariant));
  }
}

// Whose lanes a violation is drawn on.
struct Parties {
  bool first = true, second = false, node = false, resource = false;
};

Parties parties(judge::Invariant invariant) {
  switch (invariant) {
    case judge::Invariant::mutual_exclusion:
    case judge::Invariant::promise:
      return {.second = true};
    case judge::Invariant::stale_write:
      return {.second = true, .resource = true};
    case judge::Invariant::backed:
    case judge::Invariant::foreign_touch:
      return {.node = true};
    case judge::Invariant::leak:
      return {.first = false, .node = true};
    default:
      return {};
  }
}

Highlight highlight(const Picture& picture, const Record& record, const judge::Witness& witness,
                    judge::Invariant invariant) {
  Highlight light{.from = witness.overlap.begin, .to = witness.overlap.end};
  light.label = highlight_label(witness, invariant);
  const Parties who = parties(invariant);
  const auto add_client = [&](history::ActorId actor) {
    const int lane = lane_of_client(picture, record, actor);
    if (lane >= 0) light.lanes.push_back(lane);
  };
  if (who.first) add_client(witness.first_actor);
  if (who.second) add_client(witness.second_actor);
  const std::string node = node_name(record.history, witness.node);
  const std::string resource = resource_name(record.history, witness.resource);
  for (std::size_t i = 0; i < picture.lanes.size(); ++i) {
    const Lane& lane = picture.lanes[i];
    const bool server = who.node && lane.kind == LaneKind::server && lane.title == node;
    const bool guarded = who.resource && lane.kind == LaneKind::resource && lane.title == resource;
    if (server || guarded) light.lanes.push_back(static_cast<int>(i));
  }
  std::sort(light.lanes.begin(), light.lanes.end());
  return light;
}

// From a little before the first cause to a little after the last thing that counts.
judge::Interval shown(const Record& record, const Explanation& explanation,
                      const std::vector<judge::Witness>& witnesses) {
  if (witnesses.empty()) return {0, std::max<Nanos>(record.end, 1)};
  const judge::Witness& witness = witnesses.front();
  Nanos from = std::min(witness.first.begin, witness.overlap.begin);
  Nanos to = std::max(witness.overlap.end, witness.overlap.begin);
  for (const Cause& cause : explanation.causes) {
    from = std::min(from, cause.at);
    to = std::max(to, cause.at);
  }
  // Both sections to their end, as far as that does not more than double the picture.
  for (const Nanos end : {witness.first.end, witness.second.end}) {
    if (end > to && end - from < 2 * (to - from)) to = end;
  }
  const Nanos margin = std::max<Nanos>((to - from) / 20, 1'000'000);
  judge::Interval window{std::max<Nanos>(0, from - margin), to + margin};
  if (window.begin < 2 * margin) window.begin = 0;
  window.end = std::max(std::min(window.end, record.end), to);
  if (window.end <= window.begin) window.end = window.begin + 1'000'000;
  return window;
}

std::vector<Nanos> interest(const Picture& picture) {
  std::vector<Nanos> at;
  at.reserve(picture.causes.size() + 2 * picture.highlights.size());
  for (const Mark& cause : picture.causes) at.push_back(cause.at);
  for (const Highlight& light : picture.highlights) {
    at.push_back(light.from);
    at.push_back(light.to);
  }
  for (const Lane& lane : picture.lanes) {
    for (const Bar& bar : lane.bars) {
      at.push_back(bar.from);
      at.push_back(bar.to);
    }
    for (const Wedge& wedge : lane.wedges) {
      at.push_back(wedge.from);
      at.push_back(wedge.to);
    }
    for (const Mark& mark : lane.marks) at.push_back(mark.at);
  }
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  std::erase_if(at,
                [&picture](Nanos t) { return t < picture.shown.begin || t > picture.shown.end; });
  return at;
}

// What does not touch the shown part is gone; what crosses its edges is cut there.
void clip(Picture& picture) {
  const judge::Interval& window = picture.shown;
  const auto outside = [&window](const auto& thing) {
    return thing.to < window.begin || thing.from > window.end;
  };
  for (Lane& lane : picture.lanes) {
    std::erase_if(lane.bars, outside);
    std::erase_if(lane.wedges, outside);
    std::erase_if(lane.marks, [&window](const Mark& mark) {
      return mark.at < window.begin || mark.at > window.end;
    });
    for (Bar& bar : lane.bars) {
      bar.from = std::max(bar.from, window.begin);
      bar.to = std::min(bar.to, window.end);
    }
    for (Wedge& wedge : lane.wedges) {
      wedge.from = std::max(wedge.from, window.begin);
      wedge.to = std::min(wedge.to, window.end);
    }
  }
  for (Highlight& light : picture.highlights) {
    light.from = std::clamp(light.from, window.begin, window.end);
    light.to = std::clamp(light.to, window.begin, window.end);
  }
}

}  // namespace

Picture make_picture(const Record& record, const judge::Judgement& judgement,
                     const Explanation& explanation) {
  Picture picture;
  picture.run_end = record.end;
  picture.lanes.push_back(fault_lane(record));
  const std::vector<Lane> clients = client_lanes(record);
  picture.lanes.insert(picture.lanes.end(), clients.begin(), clients.end());
  for (Lane& lane : resource_lanes(record, picture.lanes)) picture.lanes.push_back(std::move(lane));
  for (Lane& lane : server_lanes(record)) picture.lanes.push_back(std::move(lane));
  const judge::Finding& finding = judgement[explanation.invariant];
  if (finding.state == judge::State::violated && !finding.witnesses.empty()) {
    picture.highlights.push_back(
        highlight(picture, record, finding.witnesses.front(), explanation.invariant));
  }
  int number = 0;
  for (const Cause& cause : explanation.causes) {
    picture.causes.push_back({.kind = MarkKind::cause,
                              .at = cause.at,
                              .label = fmt::format("{}", ++number),
                              .hint = cause.text,
                              .event = cause.event});
  }
  picture.shown = shown(record, explanation, finding.witnesses);
  clip(picture);
  picture.interest = interest(picture);
  return picture;
}

}  // namespace holdfast::report
