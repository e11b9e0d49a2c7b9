// The drawing of a Picture as one SVG element for a page whose style sheet has its classes.
#pragma once

#include <string>
#include <vector>

#include "reports/render/axis.h"
#include "reports/render/picture.h"
#include "reports/render/svg_canvas.h"

namespace holdfast::report {

std::string draw_svg(const Picture& picture);

// Where everything is, in tenths.
struct Layout {
  static constexpr Tenths kWidth = 12'000;
  static constexpr Tenths kPlotLeft = 1'650;
  static constexpr Tenths kPlotRight = 11'850;
  static constexpr Tenths kAxisY = 520;       // of the axis line
  static constexpr Tenths kPillHeight = 200;  // of the violation's label
  static constexpr Tenths kFoot = 420;        // scale bar and statement

  explicit Layout(const Picture& picture);

  Axis axis;
  std::vector<Tenths> lane_y;  // top of each lane
  std::vector<Tenths> lane_height;
  Tenths pill_y = 0;  // of the violation's label, above the client lanes
  Tenths bottom = 0;  // below the last lane
  Tenths height = 0;
};

// One lane's contents; the frame, the axis and the violation are drawn by draw_svg. Words go to
// `words`, which is laid over everything.
void draw_lane(SvgCanvas& canvas, SvgCanvas& words, const Layout& layout, const Picture& picture,
               std::size_t index);

}  // namespace holdfast::report
