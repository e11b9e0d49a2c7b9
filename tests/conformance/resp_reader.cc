#include "tests/conformance/resp_reader.h"

#include <charconv>
#include <utility>

namespace holdfast::conformance {

std::optional<Reply> RespReader::next() {
  Reply reply;
  std::size_t at = taken_;
  if (malformed_ || !read(at, reply) || malformed_) return std::nullopt;
  taken_ = at;
  if (taken_ == bytes_.size()) {
    bytes_.clear();
    taken_ = 0;
  }
  return reply;
}

bool RespReader::line(std::size_t& at, std::string_view& text) {
  const std::size_t end = bytes_.find("\r\n", at);
  if (end == std::string::npos) return false;
  text = std::string_view(bytes_).substr(at, end - at);
  at = end + 2;
  return true;
}

bool RespReader::number(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) malformed_ = true;
  return !malformed_;
}

bool RespReader::blob(std::size_t& at, std::string_view header, Reply& reply) {
  std::int64_t size = 0;
  if (!number(header, size)) return false;
  if (size < 0) return true;  // nil
  const auto length = static_cast<std::size_t>(size);
  if (bytes_.size() < at + length + 2) return false;
  reply.type = Reply::Type::bulk;
  reply.text = bytes_.substr(at, length);
  at += length + 2;
  return true;
}

bool RespReader::elements(std::size_t& at, std::int64_t count, Reply::Type type, Reply& reply) {
  reply.type = type;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!read(at, reply.elements.emplace_back())) return false;
  }
  return true;
}

bool RespReader::read(std::size_t& at, Reply& reply) {
  std::string_view text;
  if (!line(at, text)) return false;
  if (text.empty()) {
    malformed_ = true;
    return false;
  }
  const std::string_view rest = text.substr(1);
  std::int64_t count = 0;
  switch (text.front()) {
    case '+':
      reply = Reply::status(rest);
      return true;
    case '-':
      reply = Reply::error(rest);
      return true;
    case ':':
      reply.type = Reply::Type::integer;
      return number(rest, reply.integer);
    case '$':
      return blob(at, rest, reply);
    case '*':
      if (!number(rest, count)) return false;
      reply.type = Reply::Type::null_array;
      return count < 0 || elements(at, count, Reply::Type::array, reply);
    case '%':
      return number(rest, count) && elements(at, 2 * count, Reply::Type::map, reply);
    case '~':
      return number(rest, count) && elements(at, count, Reply::Type::set, reply);
    case '>':
      return number(rest, count) && elements(at, count, Reply::Type::push, reply);
    case '_':
      reply.type = Reply::Type::null;
      return true;
    case '#':
      reply.type = Reply::Type::boolean;
      reply.integer = rest == "t" ? 1 : 0;
      return true;
    case ',':
      reply.type = Reply::Type::real;
      reply.text = rest;
      return true;
    case '=':
      if (!blob(at, rest, reply)) return false;
      reply.type = Reply::Type::verbatim;
      reply.text.erase(0, std::string_view("txt:").size());
      return true;
    default:
      malformed_ = true;
      return false;
  }
}

}  // namespace holdfast::conformance
