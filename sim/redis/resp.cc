#include "sim/redis/resp.h"

namespace holdfast::sim::redis {

void make_resp2(Reply& reply) {
  using Type = Reply::Type;
  switch (reply.type) {
    case Type::map:
    case Type::set:
    case Type::push:
      reply.type = Type::array;
      break;
    case Type::real:
    case Type::verbatim:
      reply.type = Type::bulk;
      break;
    case Type::boolean:
      reply.type = Type::integer;
      break;
    default:
      break;
  }
  for (Reply& element : reply.elements) make_resp2(element);
}

void make_resp3(Reply& reply) {
  if (reply.is_nil()) reply.type = Reply::Type::null;
  for (Reply& element : reply.elements) make_resp3(element);
}

}  // namespace holdfast::sim::redis
