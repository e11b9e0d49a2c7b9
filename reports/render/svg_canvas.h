// SvgCanvas: writes SVG elements with integer positions in tenths of a unit. Every text that comes
// from outside is escaped here and nowhere else. Looks are CSS classes of the page.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/explain_record.h"
#include "reports/render/axis.h"

namespace holdfast::report {

struct Box {
  Tenths x = 0, y = 0, width = 0, height = 0;
};
struct Spot {
  Tenths x = 0, y = 0;
};

class SvgCanvas {
 public:
  enum class Anchor : std::uint8_t { start, middle, end };

  // `hint`: what hovering says. `attributes`: written as they are, for ids and data.
  void rect(Box box, std::string_view css, std::string_view hint = {},
            std::string_view attributes = {});
  void line(Spot from, Spot to, std::string_view css);
  void polygon(const std::vector<Spot>& points, std::string_view css, std::string_view hint = {});
  void circle(Spot centre, Tenths radius, std::string_view css, std::string_view hint = {});
  void text(Spot at, std::string_view words, std::string_view css, Anchor anchor = Anchor::start);
  // Everything until close() is a link to an event's row, or to a cause's line.
  void open_event_link(EventIndex event);
  void open_link(std::string_view fragment);
  void open_group(std::string_view css);
  void close();
  // What another canvas holds, on top.
  void append(SvgCanvas other);

  // Complete; the picture is `width` x `height` tenths.
  std::string finish(Tenths width, Tenths height, std::string_view title,
                     std::string_view description);

 private:
  void finish_element(std::string_view tag, std::string_view hint);

  std::string out_;
  std::vector<std::string_view> open_;
};

// "c3" for a client's colour, "c0" for none; more clients than colours share.
std::string colour_class(int colour);

}  // namespace holdfast::report
