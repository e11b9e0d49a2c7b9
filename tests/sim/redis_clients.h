// Several clients of one simulated server, and what each of them is told beside its answers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisClients : public RedisFixture {
 public:
  RedisClients() : other(node(1).open_session(4)) {}

  template <class... Text>
  std::string by(SessionId session, Text... text) {
    return on(1, session, Command{std::string_view(text)...});
  }
  // What this session has been sent beside answers since the last call.
  Lines pushed(SessionId session) {
    Lines lines;
    std::vector<RecordingHost::Sent> rest;
    for (RecordingHost::Sent& sent : host.pushes) {
      if (sent.session == session) {
        lines.push_back(std::move(sent.text));
      } else {
        rest.push_back(std::move(sent));
      }
    }
    host.pushes = std::move(rest);
    return lines;
  }
  // Its answers that came later than its commands, with their times.
  Lines answered(SessionId session) {
    Lines lines;
    for (const RecordingHost::Sent& sent : std::exchange(host.replies, {})) {
      if (sent.session != session) continue;
      const auto ms = sent.at.time_since_epoch() / milliseconds(1);
      lines.push_back(std::to_string(ms) + " " + sent.text);
    }
    return lines;
  }
  SessionId first() { return sessions[1]; }

  SessionId other;
};

}  // namespace holdfast::sim
