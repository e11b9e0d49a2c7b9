#include <fmt/format.h>

#include "reports/render/escape.h"
#include "reports/render/html_parts.h"
#include "reports/render/viewer.h"

namespace holdfast::report {

std::string html_page(std::string_view title, const std::string& body, bool with_script) {
  // The policy is a second fence behind the escaping: nothing is ever loaded from anywhere.
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src {}; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      with_script ? "'unsafe-inline'" : "'none'", escape_markup(title), viewer_style());
  out += body;
  if (with_script) out += fmt::format("<script>{}</script>\n", viewer_script());
  return out + "</body>\n</html>\n";
}

}  // namespace holdfast::report
