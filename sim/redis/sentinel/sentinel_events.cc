// What a sentinel publishes of what it does: one channel an event.
#include <string>

#include "sim/redis/instance.h"
#include "sim/redis/sentinel/description.h"

namespace holdfast::sim::redis {

// "slave n2:6379 n2 6379 @ mymaster n1 6379"
void Sentinel::tell(std::string_view event, const Monitored& about, std::string_view more) {
  std::string text(kind_name(about.kind));
  text.append(" ").append(name_of(about)).append(" ").append(written(about.address));
  if (!about.is_master()) {
    const MasterSet& set = about.set;
    text.append(" @ ").append(set.options.name).append(" ").append(written(set.master.address));
  }
  tell_plainly(event, text.append(more));
}

void Sentinel::tell_plainly(std::string_view event, std::string_view text) {
  server_.pubsub().publish(event, text);
}

void Sentinel::tell_current(const MasterSet& set) {
  const RedisServer* const first = server_.host().find_server(set.options.master);
  const RedisServer* const master = server_.host().find_server(set.current());
  if (first == nullptr || master == nullptr) return;
  server_.watcher().master_named(first->options().node, master->options().node);
}

}  // namespace holdfast::sim::redis
