#include "tests/conformance/steps.h"

#include <utility>

#include "tests/conformance/command_words.h"
#include "tests/conformance/play.h"

namespace holdfast::conformance {
namespace {

std::string named(Connection connection, std::string_view text) {
  return std::string(connection.name) + ": " + std::string(text);
}

// A step that is one call of the lab.
template <class... Parameters, class... Arguments>
Step call(std::string text, void (Lab::*function)(Parameters...), Arguments... arguments) {
  const auto run = [=](Play& play) { (play.lab().*function)(arguments...); };
  return {std::move(text), run};
}

}  // namespace

Step ask(Connection connection, std::string command, Expectation reply, Timing when) {
  const auto run = [=](Play& play) {
    const Command asked = words(command);
    play.send(connection, {&asked, 1});
    play.expect(connection, reply, when);
  };
  return {named(connection, command), run};
}
Step ask(std::string command, Expectation reply, Timing when) {
  return ask(A, std::move(command), std::move(reply), when);
}

Step eval(Connection connection, std::string body, Expectation reply) {
  return ask(connection, typed(Command{"EVAL", body, "0"}), std::move(reply));
}
Step eval(std::string body, Expectation reply) {
  return eval(A, std::move(body), std::move(reply));
}
Step eval_ro(Connection connection, std::string body, Expectation reply) {
  return ask(connection, typed(Command{"EVAL_RO", body, "0"}), std::move(reply));
}
Step eval_ro(std::string body, Expectation reply) {
  return eval_ro(A, std::move(body), std::move(reply));
}

Step send(Connection connection, std::vector<std::string> commands) {
  std::string text;
  for (const std::string& command : commands) text += (text.empty() ? "send " : ", ") + command;
  const auto run = [=](Play& play) {
    std::vector<Command> sent;
    sent.reserve(commands.size());
    for (const std::string& command : commands) sent.push_back(words(command));
    play.send(connection, sent);
  };
  return {named(connection, text), run};
}

Step answer(Connection connection, Expectation reply, Timing when) {
  const auto run = [=](Play& play) { play.expect(connection, reply, when); };
  return {named(connection, "the answer"), run};
}

Step quiet(Connection connection, Duration time) {
  const auto run = [=](Play& play) {
    play.find(silence().judge(play.lab().receive(connection, time), play.lab().exact()));
  };
  return {named(connection, "no answer"), run};
}

Step becomes(Connection connection, std::string command, Expectation reply, Timing when) {
  const auto run = [=](Play& play) { play.until(connection, command, reply, when); };
  return {named(connection, command), run};
}

Step mark() {
  const auto run = [](Play& play) { play.marked = play.lab().now(); };
  return {"mark", run};
}

Step remember(Connection connection, std::string section, std::string field) {
  const auto run = [=](Play& play) {
    play.remembered[field] = play.info(connection, section, field);
  };
  return {named(connection, "remember " + field), run};
}

Step inherits(Connection connection, std::string section, std::string field, std::string before) {
  const auto run = [=](Play& play) {
    const std::string value = play.info(connection, section, field);
    if (value == play.remembered[before]) return;
    play.find({"is " + value + ", not " + play.remembered[before]});
  };
  return {named(connection, "INFO " + field), run};
}
Step keeps(Connection connection, std::string section, std::string field) {
  return inherits(connection, std::move(section), field, field);
}

Step changed(Connection connection, std::string section, std::string field) {
  const auto run = [=](Play& play) {
    const std::string value = play.info(connection, section, field);
    if (value == play.remembered[field]) play.find({"is still " + value});
  };
  return {named(connection, "INFO " + field), run};
}

Step close(Connection connection) {
  return call(named(connection, "close"), &Lab::close, connection, false);
}
Step reset(Connection connection) {
  return call(named(connection, "reset"), &Lab::close, connection, true);
}
Step half(Connection connection, std::string command) {
  const auto run = [=](Play& play) { play.lab().send_half(connection, words(command)); };
  return {named(connection, "half of " + command), run};
}
Step connects(Connection connection) {
  const auto run = [=](Play& play) {
    if (!play.lab().connects(connection)) play.find({"is not accepted"});
  };
  return {named(connection, "connect"), run};
}
Step hold_requests(Connection connection) {
  return call(named(connection, "hold requests"), &Lab::hold_link, connection, Way::to_server,
              true);
}
Step hold_replies(Connection connection) {
  return call(named(connection, "hold replies"), &Lab::hold_link, connection, Way::to_client, true);
}
Step release(Connection connection) {
  const auto run = [=](Play& play) {
    play.lab().hold_link(connection, Way::to_server, false);
    play.lab().hold_link(connection, Way::to_client, false);
  };
  return {named(connection, "release"), run};
}
Step drop_reply(Connection connection) {
  return call(named(connection, "drop the next reply"), &Lab::drop_next_reply, connection);
}

Step sleep(Duration time) { return call("sleep", &Lab::sleep, time); }
Step step_clock(std::string_view node, Duration by) {
  return call("step the clock", &Lab::step_clock, node, by);
}
Step clock_rate(std::string_view node, std::int64_t ppm) {
  return call("bend the clock", &Lab::set_clock_rate, node, ppm);
}

Step freeze(std::string_view node) { return call("freeze", &Lab::pause, node, true); }
Step thaw(std::string_view node) { return call("thaw", &Lab::pause, node, false); }
Step kill(std::string_view node) { return call("kill", &Lab::kill, node); }
Step note_synced(std::string_view node) { return call("fsync", &Lab::note_synced, node); }
Step lose_power(std::string_view node) { return call("lose power", &Lab::lose_power, node); }
Step tear_file(std::string_view node, std::int64_t bytes) {
  return call("tear the file", &Lab::tear_file, node, bytes);
}
Step fail_saves(std::string_view node) { return call("fail saves", &Lab::fail_saves, node); }
Step restart(std::string_view node, Persistence persistence) {
  return call("restart", &Lab::restart, node, persistence);
}
Step promote(std::string_view node) { return call("promote", &Lab::promote, node); }
Step follow(std::string_view node, std::string_view master) {
  return call("follow", &Lab::follow, node, master);
}
Step hold_stream(std::string_view replica) {
  return call("hold the stream", &Lab::hold_stream, replica, true);
}
Step release_stream(std::string_view replica) {
  return call("release the stream", &Lab::hold_stream, replica, false);
}
Step cut_stream(std::string_view replica) {
  return call("cut the stream", &Lab::cut_stream, replica, true);
}
Step mend_stream(std::string_view replica) {
  return call("mend the stream", &Lab::cut_stream, replica, false);
}

Step note_offset(std::string_view node) {
  const auto run = [=](Play& play) { play.offsets[std::string(node)] = play.lab().offset(node); };
  return {"note the offset", run};
}
Step streamed(std::string_view node, std::vector<std::string> commands) {
  const auto run = [=](Play& play) {
    std::int64_t wanted = 0;
    for (const std::string& command : commands) {
      wanted += static_cast<std::int64_t>(wire_length(words(command)));
    }
    const std::int64_t grown = play.lab().offset(node) - play.offsets[std::string(node)];
    if (grown == wanted) return;
    play.find({"grew by " + std::to_string(grown) + " bytes, not " + std::to_string(wanted)});
  };
  return {"the stream", run};
}

}  // namespace holdfast::conformance
