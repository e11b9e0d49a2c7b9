#include "scenarios/serve/reply_writer.h"

#include "sim/redis/integer_text.h"

namespace holdfast::serve {
namespace {

void write_number(std::string& out, char type, std::int64_t value) {
  out.push_back(type);
  out.append(sim::redis::IntegerText(value).view()).append("\r\n");
}

// A line end in it would end the reply.
void write_line(std::string& out, char type, const std::string& text) {
  out.push_back(type);
  const std::size_t begin = out.size();
  out.append(text);
  for (std::size_t i = begin; i < out.size(); ++i) {
    if (out[i] == '\r' || out[i] == '\n') out[i] = ' ';
  }
  out.append("\r\n");
}

void write_bulk(std::string& out, const std::string& text) {
  write_number(out, '$', static_cast<std::int64_t>(text.size()));
  out.append(text).append("\r\n");
}

void write_elements(std::string& out, char type, std::size_t count, const Reply& reply) {
  write_number(out, type, static_cast<std::int64_t>(count));
  for (const Reply& element : reply.elements) write_reply(out, element);
}

}  // namespace

void write_reply(std::string& out, const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::nil:
      out.append("$-1\r\n");
      return;
    case Reply::Type::status:
      return write_line(out, '+', reply.text);
    case Reply::Type::error:
      return write_line(out, '-', reply.text);
    case Reply::Type::integer:
      return write_number(out, ':', reply.integer);
    case Reply::Type::bulk:
      return write_bulk(out, reply.text);
    case Reply::Type::array:
      return write_elements(out, '*', reply.elements.size(), reply);
    case Reply::Type::null_array:
      out.append("*-1\r\n");
      return;
    case Reply::Type::null:
      out.append("_\r\n");
      return;
    case Reply::Type::map:
      return write_elements(out, '%', reply.elements.size() / 2, reply);
    case Reply::Type::set:
      return write_elements(out, '~', reply.elements.size(), reply);
    case Reply::Type::push:
      return write_elements(out, '>', reply.elements.size(), reply);
    case Reply::Type::real:
      return write_line(out, ',', reply.text);
    case Reply::Type::boolean:
      out.append(reply.integer != 0 ? "#t\r\n" : "#f\r\n");
      return;
    case Reply::Type::verbatim:
      write_number(out, '=', static_cast<std::int64_t>(reply.text.size() + 4));
      out.append("txt:").append(reply.text).append("\r\n");
      return;
  }
}

}  // namespace holdfast::serve
