#include "lockcore/hiredis/reply_conversion.h"

#include <utility>
#include <vector>

namespace holdfast::detail {

Reply convert(const redisReply& reply) {
  const auto text = [&reply] {
    return reply.str == nullptr ? std::string_view()
                                : std::string_view(reply.str, static_cast<std::size_t>(reply.len));
  };
  switch (reply.type) {
    case REDIS_REPLY_NIL:
      return Reply();
    case REDIS_REPLY_STATUS:
      return Reply::status(text());
    case REDIS_REPLY_ERROR:
      return Reply::error(text());
    case REDIS_REPLY_INTEGER:
      return Reply::number(reply.integer);
    case REDIS_REPLY_STRING:
      return Reply::bulk(text());
    default:
      break;
  }
  if (reply.elements == 0 && reply.str != nullptr) return Reply::bulk(text());
  std::vector<Reply> elements;
  elements.reserve(reply.elements);
  for (std::size_t i = 0; i < reply.elements; ++i) elements.push_back(convert(*reply.element[i]));
  return Reply::array(std::move(elements));
}

}  // namespace holdfast::detail
