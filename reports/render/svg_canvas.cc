#include "reports/render/svg_canvas.h"

#include <fmt/format.h>

#include "reports/render/escape.h"

namespace holdfast::report {
namespace {

constexpr int kColours = 6;

std::string number(Tenths value) {
  const char* sign = value < 0 ? "-" : "";
  const Tenths size = value < 0 ? -value : value;
  return size % 10 == 0 ? fmt::format("{}{}", sign, size / 10)
                        : fmt::format("{}{}.{}", sign, size / 10, size % 10);
}

}  // namespace

void SvgCanvas::finish_element(std::string_view tag, std::string_view hint) {
  if (hint.empty()) {
    out_ += "/>\n";
  } else {
    out_ += fmt::format("><title>{}</title></{}>\n", escape_markup(hint), tag);
  }
}

void SvgCanvas::rect(Box box, std::string_view css, std::string_view hint,
                     std::string_view attributes) {
  out_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}", css,
                      number(box.x), number(box.y), number(box.width), number(box.height),
                      attributes.empty() ? "" : " ", attributes);
  finish_element("rect", hint);
}

void SvgCanvas::line(Spot from, Spot to, std::string_view css) {
  out_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", css,
                      number(from.x), number(from.y), number(to.x), number(to.y));
}

void SvgCanvas::polygon(const std::vector<Spot>& points, std::string_view css,
                        std::string_view hint) {
  out_ += fmt::format("<polygon class=\"{}\" points=\"", css);
  for (std::size_t i = 0; i < points.size(); ++i) {
    out_ += fmt::format("{}{},{}", i == 0 ? "" : " ", number(points[i].x), number(points[i].y));
  }
  out_ += "\"";
  finish_element("polygon", hint);
}

void SvgCanvas::circle(Spot centre, Tenths radius, std::string_view css, std::string_view hint) {
  out_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"", css, number(centre.x),
                      number(centre.y), number(radius));
  finish_element("circle", hint);
}

void SvgCanvas::text(Spot at, std::string_view words, std::string_view css, Anchor anchor) {
  constexpr std::string_view kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  out_ +=
      fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n", css, number(at.x),
                  number(at.y), kAnchors[static_cast<std::size_t>(anchor)], escape_markup(words));
}

void SvgCanvas::open_event_link(EventIndex event) {
  if (event == kNoEvent) {
    open_group("plain");
    return;
  }
  open_link(fmt::format("e{}", event));
}

void SvgCanvas::open_link(std::string_view fragment) {
  out_ += fmt::format("<a href=\"#{}\">\n", escape_markup(fragment));
  open_.push_back("a");
}

void SvgCanvas::open_group(std::string_view css) {
  out_ += fmt::format("<g class=\"{}\">\n", css);
  open_.push_back("g");
}

void SvgCanvas::close() {
  out_ += fmt::format("</{}>\n", open_.back());
  open_.pop_back();
}

void SvgCanvas::append(SvgCanvas other) {
  while (!other.open_.empty()) other.close();
  out_ += other.out_;
}

std::string SvgCanvas::finish(Tenths width, Tenths height, std::string_view title,
                              std::string_view description) {
  // Patterns: hatching tells apart what colour alone must not.
  constexpr std::string_view kPatterns =
      "<defs>\n"
      "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect class=\"hatch-line\" width=\"2\" height=\"7\"/>"
      "</pattern>\n"
      "<pattern id=\"hatch-dead\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
      "<rect class=\"hatch-line\" width=\"1.5\" height=\"6\"/>"
      "<rect class=\"hatch-line\" width=\"6\" height=\"1.5\"/></pattern>\n"
      "<pattern id=\"hatch-red\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(-45)\"><rect class=\"hatch-red-line\" width=\"2\" height=\"6\"/>"
      "</pattern>\n"
      "</defs>\n";
  while (!open_.empty()) close();
  return fmt::format(
      "<svg class=\"picture\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
      "role=\"img\" aria-labelledby=\"picture-title picture-text\">\n"
      "<title id=\"picture-title\">{}</title>\n<desc id=\"picture-text\">{}</desc>\n{}{}</svg>\n",
      number(width), number(height), escape_markup(title), escape_markup(description), kPatterns,
      out_);
}

std::string colour_class(int colour) {
  return colour <= 0 ? "c0" : fmt::format("c{}", (colour - 1) % kColours + 1);
}

}  // namespace holdfast::report
