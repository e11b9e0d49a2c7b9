// A small check that XML (or the XML-like part of a page) is well-formed, and a reader of
// attributes. Knows what our renderers write: no CDATA, no processing instructions but the first.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::report {

// What is wrong with the first malformed place, or empty.
inline std::string malformed(std::string_view xml) {
  std::vector<std::string> open;
  const auto complain = [&](std::size_t at, std::string_view what) {
    return std::string(what) + " at: " + std::string(xml.substr(at, 60));
  };
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] == '&') {
      const std::size_t end = xml.find(';', i);
      const std::string_view name = end == std::string_view::npos ? "" : xml.substr(i, end - i + 1);
      const bool known = name == "&amp;" || name == "&lt;" || name == "&gt;" || name == "&quot;" ||
                         name == "&#39;" || name == "&#160;" || name == "&#183;";
      if (!known) return complain(i, "a bare ampersand");
      i = end + 1;
      continue;
    }
    if (xml[i] != '<') {
      if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n' && xml[i] != '\t') {
        return complain(i, "a control character");
      }
      ++i;
      continue;
    }
    if (xml.substr(i, 2) == "<?") {
      i = xml.find("?>", i) + 2;
      continue;
    }
    // To the end of the tag; '>' and '<' may not stand in it unescaped.
    std::size_t end = i + 1;
    char quote = 0;
    for (; end < xml.size() && (quote != 0 || xml[end] != '>'); ++end) {
      if (quote == 0 && (xml[end] == '"' || xml[end] == '\'')) {
        quote = xml[end];
      } else if (xml[end] == quote) {
        quote = 0;
      }
      if (xml[end] == '<') return complain(i, "a '<' inside a tag");
    }
    if (end >= xml.size()) return complain(i, "a tag without end");
    const std::string_view tag = xml.substr(i + 1, end - i - 1);
    if (!tag.empty() && tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return complain(i, "a wrong end tag");
      open.pop_back();
    } else if (tag.empty() || tag.back() != '/') {
      open.emplace_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    i = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

// The first tag that has `needle` in it, without its brackets; empty when there is none.
inline std::string tag_with(std::string_view markup, std::string_view needle,
                            std::size_t from = 0) {
  const std::size_t at = markup.find(needle, from);
  if (at == std::string_view::npos) return "";
  const std::size_t begin = markup.rfind('<', at);
  return std::string(markup.substr(begin + 1, markup.find('>', at) - begin - 1));
}

inline std::string attribute(const std::string& tag, const std::string& name) {
  const std::string key = " " + name + "=\"";
  const std::size_t at = tag.find(key);
  if (at == std::string::npos) return "";
  return tag.substr(at + key.size(), tag.find('"', at + key.size()) - at - key.size());
}

inline double number(const std::string& tag, const std::string& name) {
  return std::atof(attribute(tag, name).c_str());
}

}  // namespace holdfast::report
