// What one lane shows: bars, thinning keys, marks.
#include <fmt/format.h>

#include <algorithm>

#include "reports/render/escape.h"
#include "reports/render/svg.h"
#include "reports/render/wrap.h"

namespace holdfast::report {
namespace {

using history::Nanos;
using Anchor = SvgCanvas::Anchor;

struct Strip {
  Tenths y = 0, height = 0;
};

// Rows of a client's lane.
constexpr Strip kSection{80, 220};
constexpr Strip kPromise{350, 130};
constexpr Strip kBacked{540, 90};
constexpr Strip kKey{60, 320};  // of a server's lane
constexpr Tenths kLetter = 66;  // a little more than the average at the picture's text size

class LanePainter {
 public:
  LanePainter(SvgCanvas& canvas, SvgCanvas& words, const Layout& layout, const Picture& picture,
              std::size_t index)
      : canvas_(canvas),
        words_(words),
        layout_(layout),
        picture_(picture),
        lane_(picture.lanes[index]),
        y_(layout.lane_y[index]),
        height_(layout.lane_height[index]) {}

  void paint() {
    canvas_.line({0, y_ + height_}, {Layout::kWidth, y_ + height_}, "lane");
    paint_title();
    for (const Wedge& wedge : lane_.wedges) paint_wedge(wedge);
    // States lie over what they concern.
    for (const Bar& bar : lane_.bars) {
      if (!state(bar.kind)) paint_bar(bar);
    }
    for (const Bar& bar : lane_.bars) {
      if (state(bar.kind)) paint_state(bar);
    }
    Tenths last = -10'000;
    bool raised = false;
    for (const Mark& mark : lane_.marks) {
      const Tenths x = layout_.axis.x(mark.at);
      raised = x - last < 190 && !raised;
      last = x;
      paint_mark(mark, raised);
    }
  }

 private:
  static bool state(BarKind kind) { return kind == BarKind::stopped || kind == BarKind::down; }

  void paint_title() {
    const Tenths middle = y_ + (lane_.kind == LaneKind::client ? 250 : height_ / 2 + 45);
    const bool sub = !lane_.subtitle.empty();
    if (lane_.colour != 0) {
      canvas_.rect({40, middle - 110, 120, 120}, colour_class(lane_.colour) + " swatch");
    }
    const Tenths x = lane_.colour != 0 ? 210 : 40;
    canvas_.text({x, sub ? middle - 60 : middle}, shortened(lane_.title, lane_.colour ? 8 : 18),
                 "lane-title");
    if (sub) canvas_.text({40, middle + 90}, shortened(lane_.subtitle, 22), "lane-note");
    if (lane_.kind != LaneKind::client) return;
    const auto row = [&](Strip at, std::string_view words) {
      canvas_.text({Layout::kPlotLeft - 60, y_ + at.y + at.height / 2 + 35}, words, "row-note",
                   Anchor::end);
    };
    row(kSection, "code inside");
    row(kPromise, "lock promises");
    row(kBacked, "servers back it");
  }

  // From an instant to another on the axis, never thinner than a hair.
  Box box(Nanos from, Nanos to, Strip row) const {
    const Tenths x0 = layout_.axis.x(from);
    return {x0, y_ + row.y, std::max<Tenths>(layout_.axis.x(to) - x0, 12), row.height};
  }

  // In the first stretch of the box, between breaks, that has room; nowhere when none has.
  void label(const Box& in, std::string_view text, std::string_view css) {
    const auto wanted = static_cast<Tenths>(width(text)) * kLetter + 80;
    for (const Axis::Piece& piece : layout_.axis.pieces()) {
      const Tenths from = std::max(in.x, piece.x0);
      if (piece.is_break || std::min(in.x + in.width, piece.x1) - from < wanted) continue;
      words_.text({from + 50, in.y + in.height / 2 + 42}, text, css);
      return;
    }
  }

  void paint_bar(const Bar& bar) {
    const std::string colour = colour_class(bar.colour);
    canvas_.open_event_link(bar.event);
    switch (bar.kind) {
      case BarKind::waiting: {
        Box at = box(bar.from, bar.to, {kSection.y + 60, kSection.height - 120});
        canvas_.rect(at, colour + " waiting", bar.hint);
        label(at, bar.label, "waiting-label");
        break;
      }
      case BarKind::section: {
        const Box at = box(bar.from, bar.to, kSection);
        canvas_.rect(at, colour + " section", bar.hint);
        label(at, bar.label, colour + " bar-label");
        break;
      }
      case BarKind::promise:
        canvas_.rect(box(bar.from, bar.to, kPromise), colour + " promise", bar.hint);
        break;
      case BarKind::backed:
        canvas_.rect(box(bar.from, bar.to, kBacked), "backed", bar.hint);
        break;
      case BarKind::link: {
        const Box at = box(bar.from, bar.to, {390, 50});
        canvas_.rect(at, "cut-link", bar.hint);
        label({at.x, at.y - 110, at.width, 120}, bar.label, "lane-note");
        break;
      }
      case BarKind::fault:
        canvas_.rect(box(bar.from, bar.to, {190, 60}), "fault-bar", bar.hint);
        break;
      case BarKind::stopped:
      case BarKind::down:
        break;
    }
    canvas_.close();
  }

  void paint_state(const Bar& bar) {
    const Box at = box(bar.from, bar.to, {30, height_ - 60});
    canvas_.open_event_link(bar.event);
    canvas_.rect(at, bar.kind == BarKind::down ? "down" : "stopped", bar.hint);
    // Not where a server's lane names the owner of the key.
    const Tenths y = lane_.kind == LaneKind::server ? y_ + 190 : at.y + at.height - 160;
    label({at.x, y, at.width, 140}, bar.label, "state-label");
    canvas_.close();
  }

  // Left of `at` full height at the TTL's beginning, nothing at its deadline; a key without TTL
  // stays at full height.
  Tenths key_height(const Holding::Deadline& deadline, Nanos at, Nanos full) const {
    if (deadline.deadline < 0 || full <= 0) return kKey.height;
    const Nanos left = std::clamp<Nanos>(deadline.deadline - at, 0, full);
    const Nanos unit = std::max<Nanos>(full / 1'000'000, 1);
    return std::max<Tenths>(left / unit * kKey.height / std::max<Nanos>(full / unit, 1), 10);
  }

  // One stretch with one deadline, piece by piece of the axis: the slope is true in each.
  void paint_stretch(const Holding::Deadline& deadline, Nanos from, Nanos to, Nanos full,
                     const Wedge& wedge) {
    const Tenths base = y_ + kKey.y + kKey.height;
    for (const Axis::Piece& piece : layout_.axis.pieces()) {
      const Nanos a = std::max(from, piece.from);
      const Nanos b = std::min(to, piece.to);
      if (piece.is_break || a > b || (a == b && from != to)) continue;
      const Tenths x0 = layout_.axis.x(a);
      const Tenths x1 = std::max(layout_.axis.x(b), x0 + 12);
      canvas_.polygon({{x0, base},
                       {x0, base - key_height(deadline, a, full)},
                       {x1, base - key_height(deadline, b, full)},
                       {x1, base}},
                      colour_class(wedge.colour) + " key", wedge.hint);
    }
  }

  void paint_wedge(const Wedge& wedge) {
    Nanos full = 0;
    for (const Holding::Deadline& d : wedge.deadlines) full = std::max(full, d.deadline - d.at);
    canvas_.open_event_link(wedge.event);
    for (std::size_t i = 0; i < wedge.deadlines.size(); ++i) {
      const bool last = i + 1 == wedge.deadlines.size();
      const Nanos from = std::max(wedge.deadlines[i].at, wedge.from);
      const Nanos to = last ? wedge.to : std::min(wedge.deadlines[i + 1].at, wedge.to);
      if (from <= to) paint_stretch(wedge.deadlines[i], from, to, full, wedge);
    }
    const Box at = box(wedge.from, wedge.to, kKey);
    label({at.x, at.y + at.height - 160, at.width, 150}, wedge.label, "key-label");
    canvas_.close();
  }

  // A capsule with the value, and a line from the moment at which its sender sent it.
  void paint_access(const Mark& mark) {
    constexpr Tenths kHalf = 90;
    const std::string value = shortened(mark.label, 8);
    const Tenths half = std::max(kHalf, static_cast<Tenths>(width(value)) * kLetter / 2 + 50);
    Spot at{layout_.axis.x(mark.at), y_ + height_ / 2 + 60};
    if (at.x - half < access_end_ && access_y_ == at.y) at.y -= 170;
    access_end_ = at.x + half;
    access_y_ = at.y;
    const std::string colour = colour_class(mark.colour);
    if (mark.sent >= picture_.shown.begin && mark.sender >= 0) {
      const Tenths lane = layout_.lane_y[static_cast<std::size_t>(mark.sender)];
      canvas_.line({layout_.axis.x(mark.sent), lane + kSection.y + kSection.height},
                   {at.x, at.y - kHalf}, colour + " request");
    }
    const bool accepted =
        mark.kind == MarkKind::write_accepted || mark.kind == MarkKind::read_accepted;
    const bool read = mark.kind == MarkKind::read_accepted || mark.kind == MarkKind::read_refused;
    const std::string css =
        fmt::format("{} {}{}", colour, accepted ? "access" : "access-refused", read ? " read" : "");
    canvas_.rect({at.x - half, at.y - kHalf, 2 * half, 2 * kHalf}, css, mark.hint, "rx=\"9\"");
    words_.text({at.x, at.y + 42}, value,
                colour + (accepted && !read ? " access-label" : " access-note"), Anchor::middle);
    if (!accepted) {
      words_.line({at.x - half, at.y + kHalf}, {at.x + half, at.y - kHalf}, "refusal");
    }
  }

  void paint_sign(const Mark& mark, Spot at) {
    constexpr Tenths r = 65;
    std::string_view css = "sign";
    switch (mark.kind) {
      case MarkKind::clock:
        canvas_.polygon({{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}},
                        "sign", mark.hint);
        break;
      case MarkKind::promoted:
        canvas_.polygon({{at.x - r, at.y + r}, {at.x, at.y - r}, {at.x + r, at.y + r}}, "sign",
                        mark.hint);
        break;
      case MarkKind::fault:
        canvas_.polygon(
            {{at.x, at.y + 90}, {at.x, at.y - 90}, {at.x + 90, at.y - 40}, {at.x, at.y}}, "flag",
            mark.hint);
        css = "flag";
        break;
      case MarkKind::expired:
      case MarkKind::removed:
        canvas_.circle(at, 30, "sign", mark.hint);
        break;
      case MarkKind::told:
        canvas_.polygon({{at.x - r, at.y - r}, {at.x, at.y + r}, {at.x + r, at.y - r}}, "sign",
                        mark.hint);
        break;
      default:
        canvas_.polygon({{at.x - r, at.y - r}, {at.x + r, at.y + r}}, "cross", mark.hint);
        canvas_.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, "cross");
        css = "cross";
    }
    if (mark.label.empty()) return;
    // Beside the sign, but after the label before it; left of it at the right edge.
    const auto length = static_cast<Tenths>(width(mark.label)) * kLetter;
    const Tenths x = std::max(at.x + 110, at.y == label_y_ ? label_end_ + 60 : 0);
    const bool fits = x + length < Layout::kWidth;
    words_.text({fits ? x : at.x - 110, at.y + 40}, mark.label, fmt::format("{}-label", css),
                fits ? Anchor::start : Anchor::end);
    if (fits) label_end_ = x + length;
    label_y_ = at.y;
  }

  void paint_mark(const Mark& mark, bool raised) {
    Spot at{layout_.axis.x(mark.at), y_};
    canvas_.open_event_link(mark.event);
    switch (lane_.kind) {
      case LaneKind::resource:
        paint_access(mark);
        break;
      case LaneKind::faults:
        at.y += 130;
        paint_sign(mark, at);
        break;
      case LaneKind::client:
        at.y += height_ - 110;
        paint_sign(mark, at);
        break;
      case LaneKind::server:
        at.y += mark.kind == MarkKind::expired || mark.kind == MarkKind::removed
                    ? kKey.y + kKey.height
                    : 110 + (raised ? 110 : 0);
        paint_sign(mark, at);
        break;
    }
    canvas_.close();
  }

  SvgCanvas& canvas_;
  SvgCanvas& words_;
  const Layout& layout_;
  const Picture& picture_;
  const Lane& lane_;
  Tenths y_;
  Tenths height_;
  Tenths label_y_ = -1, label_end_ = 0;    // of the last sign's label
  Tenths access_y_ = -1, access_end_ = 0;  // of the last access
};

}  // namespace

void draw_lane(SvgCanvas& canvas, SvgCanvas& words, const Layout& layout, const Picture& picture,
               std::size_t index) {
  LanePainter(canvas, words, layout, picture, index).paint();
}

}  // namespace holdfast::report
