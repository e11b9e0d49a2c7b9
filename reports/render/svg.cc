// The frame of the picture: axis, breaks, numbered causes, the violation, the scale.
#include "reports/render/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/explain_words.h"
#include "reports/render/escape.h"

namespace holdfast::report {
namespace {

using history::Nanos;
using Anchor = SvgCanvas::Anchor;

Tenths height_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::faults:
      return 300;
    case LaneKind::client:
      return 820;
    case LaneKind::resource:
    case LaneKind::server:
      return 460;
  }
  return 0;
}

judge::Interval important(const Picture& picture) {
  if (picture.highlights.empty()) return {};
  return {picture.highlights.front().from, picture.highlights.front().to};
}

// "12.4 s" for a round instant: seconds throughout, without trailing zeros.
std::string tick_label(Nanos at) {
  std::string text = exact_seconds(at);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

void draw_axis(SvgCanvas& canvas, const Layout& layout) {
  const Axis& axis = layout.axis;
  Tenths last = -10'000;
  for (const Nanos at : axis.ticks()) {
    const Tenths x = axis.x(at);
    canvas.line({x, Layout::kAxisY}, {x, layout.bottom}, "grid");
    if (x - last < 420) continue;
    canvas.text({x, Layout::kAxisY - 60}, tick_label(at), "tick", Anchor::middle);
    last = x;
  }
  canvas.line({axis.left(), Layout::kAxisY}, {axis.right(), Layout::kAxisY}, "axis");
}

// Over everything: nothing that is drawn there is to scale.
void draw_breaks(SvgCanvas& canvas, const Layout& layout) {
  constexpr Tenths kTooth = 40;
  for (const Axis::Piece& piece : layout.axis.pieces()) {
    if (!piece.is_break) continue;
    const Tenths top = Layout::kAxisY - 30;
    std::vector<Spot> edge;
    for (Tenths y = top; y <= layout.bottom + 30; y += 80) {
      edge.push_back({piece.x0 + (edge.size() % 2 == 0 ? 0 : kTooth), y});
    }
    for (std::size_t i = edge.size(); i-- > 0;) {
      edge.push_back({edge[i].x + piece.x1 - piece.x0 - kTooth, edge[i].y});
    }
    canvas.polygon(
        edge, "break",
        fmt::format("{} cut out: nothing that matters from {} to {}", span(piece.to - piece.from),
                    seconds(piece.from), seconds(piece.to)));
    canvas.text({(piece.x0 + piece.x1) / 2, layout.bottom + 170}, span(piece.to - piece.from),
                "break-label", Anchor::middle);
  }
}

void draw_causes(SvgCanvas& canvas, const Layout& layout, const Picture& picture) {
  constexpr Tenths kRadius = 90;
  constexpr Tenths kApart = 200;
  constexpr Tenths kY = 110;
  // Numbers that would cover each other move right, then all move left off the edge.
  std::vector<Tenths> xs;
  for (const Mark& cause : picture.causes) {
    const Tenths x = layout.axis.x(cause.at);
    xs.push_back(xs.empty() ? x : std::max(x, xs.back() + kApart));
  }
  Tenths limit = layout.axis.right() + 60;
  for (std::size_t i = xs.size(); i-- > 0;) {
    xs[i] = std::min(xs[i], limit);
    limit = xs[i] - kApart;
  }
  for (std::size_t i = 0; i < picture.causes.size(); ++i) {
    const Mark& cause = picture.causes[i];
    const Tenths x = layout.axis.x(cause.at);
    canvas.line({xs[i], kY + kRadius}, {x, kY + kRadius + 80}, "cause-line");
    canvas.line({x, kY + kRadius + 80}, {x, layout.bottom}, "cause-line");
    canvas.open_link("cause-" + cause.label);
    canvas.circle({xs[i], kY}, kRadius, "cause", cause.hint);
    canvas.text({xs[i], kY + 42}, cause.label, "cause-number", Anchor::middle);
    canvas.close();
  }
}

// Band, borders and label of the violation.
void draw_highlight(SvgCanvas& canvas, const Layout& layout, const Highlight& light) {
  if (light.lanes.empty()) return;
  const auto lane = [&light](bool last) {
    return static_cast<std::size_t>(last ? light.lanes.back() : light.lanes.front());
  };
  const Tenths x0 = layout.axis.x(light.from);
  const Tenths width = std::max<Tenths>(layout.axis.x(light.to) - x0, 20);
  const Tenths top = layout.lane_y[lane(false)];
  const Tenths bottom = layout.lane_y[lane(true)] + layout.lane_height[lane(true)] - 40;
  for (const int index : light.lanes) {
    const auto i = static_cast<std::size_t>(index);
    canvas.rect({x0, layout.lane_y[i] + 40, width, layout.lane_height[i] - 80}, "overlap-lane");
  }
  const std::string hint =
      fmt::format("{}: {} to {}", light.label, seconds(light.from), seconds(light.to));
  canvas.rect(
      {x0, top, width, bottom - top}, "overlap", hint,
      fmt::format("id=\"overlap\" data-from-ns=\"{}\" data-to-ns=\"{}\"", light.from, light.to));
  const auto letters = static_cast<Tenths>(::holdfast::report::width(light.label));
  const Tenths pill = letters * 72 + 160;
  const Tenths left =
      std::clamp(x0 + width / 2 - pill / 2, layout.axis.left(), layout.axis.right() + 100 - pill);
  canvas.line({x0 + width / 2, layout.pill_y + Layout::kPillHeight}, {x0 + width / 2, top},
              "overlap-leader");
  canvas.rect({left, layout.pill_y, pill, Layout::kPillHeight}, "overlap-pill");
  canvas.text({left + pill / 2, layout.pill_y + 145}, light.label, "overlap-label", Anchor::middle);
}

void draw_scale(SvgCanvas& canvas, const Layout& layout, const Picture& picture) {
  const Nanos length = layout.axis.round_length(600);
  const Tenths width = layout.axis.width_of(length);
  const Tenths y = layout.height - 140;
  const Tenths x = layout.axis.left();
  canvas.line({x, y}, {x + width, y}, "scale");
  canvas.line({x, y - 40}, {x, y + 40}, "scale");
  canvas.line({x + width, y - 40}, {x + width, y + 40}, "scale");
  bool broken = false;
  for (const Axis::Piece& piece : layout.axis.pieces()) broken = broken || piece.is_break;
  canvas.text(
      {x + width + 100, y + 45},
      fmt::format("{}; one scale throughout{}. Shown: {} to {} of a run of {}.", span(length),
                  broken ? ", quiet time cut out where marked" : "", seconds(picture.shown.begin),
                  seconds(picture.shown.end), seconds(picture.run_end)),
      "note");
}

}  // namespace

Layout::Layout(const Picture& picture)
    : axis(picture.shown, picture.interest, important(picture), kPlotLeft, kPlotRight) {
  Tenths y = kAxisY + 60;
  bool pill_placed = false;
  for (const Lane& lane : picture.lanes) {
    if (!pill_placed && lane.kind != LaneKind::faults) {
      pill_y = y;
      y += kPillHeight + 40;
      pill_placed = true;
    }
    lane_y.push_back(y);
    lane_height.push_back(height_of(lane.kind));
    y += lane_height.back();
  }
  bottom = y;
  height = bottom + kFoot;
}

std::string draw_svg(const Picture& picture) {
  const Layout layout(picture);
  SvgCanvas canvas;
  draw_axis(canvas, layout);
  SvgCanvas words;
  for (std::size_t i = 0; i < picture.lanes.size(); ++i) {
    draw_lane(canvas, words, layout, picture, i);
  }
  draw_breaks(canvas, layout);
  for (const Highlight& light : picture.highlights) draw_highlight(canvas, layout, light);
  canvas.append(std::move(words));
  draw_causes(canvas, layout, picture);
  draw_scale(canvas, layout, picture);
  std::string text = "Lanes of time, to scale.";
  for (const Mark& cause : picture.causes) {
    text += fmt::format(" {}: {} {}.", cause.label, seconds(cause.at), cause.hint);
  }
  return canvas.finish(Layout::kWidth, layout.height, "What happened, on one time axis", text);
}

}  // namespace holdfast::report
