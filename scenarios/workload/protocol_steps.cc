#include "scenarios/workload/protocol_steps.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "lockcore/quorum.h"
#include "lockcore/redis_client.h"

namespace holdfast::workload {

using scenario::ProtocolStep;

namespace {

std::string substitute(const std::string& argument, const ProtocolUse& use) {
  if (argument == "$key") return use.key;
  if (argument == "$token") return use.token;
  using std::chrono::duration_cast;
  if (argument == "$lease_ms") {
    return std::to_string(duration_cast<std::chrono::milliseconds>(use.lease).count());
  }
  if (argument == "$lease_s") {
    return std::to_string(duration_cast<std::chrono::seconds>(use.lease).count());
  }
  return argument;
}

StepsEnd judge_answer(const CallResult& result, const ProtocolStep& step, const ProtocolUse& use) {
  if (result.known == Known::maybe_executed) return StepsEnd::unknown;
  // What never got there was not refused: of the key nothing is known.
  if (!result.answered()) {
    return said_by_redis(result.reply.text) ? StepsEnd::refused : StepsEnd::unknown;
  }
  if (!step.expect) return StepsEnd::done;
  const std::string expected = substitute(*step.expect, use);
  const Reply& reply = result.reply;
  const bool number = reply.type == Reply::Type::integer;
  const std::string said = number ? std::to_string(reply.integer) : reply.text;
  const bool as_expected = reply.is_nil() ? expected == "nil" : said == expected;
  return as_expected ? StepsEnd::done : StepsEnd::refused;
}

Task<Vote<StepsEnd>> send_to_node(std::shared_ptr<ProtocolSide> side, std::size_t node,
                                  const ProtocolStep& step, ProtocolUse use) {
  Command command;
  for (const auto& argument : step.send) command.add(substitute(argument, use));
  auto client = side->env.connect(side->nodes[node], Role::commands);
  const Instant deadline = side->env.now() + use.node_deadline;
  const CallResult result = co_await Call(*client, std::move(command), deadline);
  Vote<StepsEnd> vote;
  vote.value = judge_answer(result, step, use);
  vote.yes = vote.value == StepsEnd::done;
  co_return vote;
}

// What a majority's answers come to.
StepsEnd conclude(std::size_t yes, std::size_t unknown, std::size_t nodes) {
  if (yes > nodes / 2) return StepsEnd::done;
  return unknown > 0 ? StepsEnd::unknown : StepsEnd::refused;
}

// Node after node, like a loop in a script.
Task<StepsEnd> send_in_turn(std::shared_ptr<ProtocolSide> side, const ProtocolStep& step,
                            ProtocolUse use) {
  const std::size_t nodes = side->protocol.quorum ? side->nodes.size() : 1;
  std::size_t yes = 0;
  std::size_t unknown = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const Vote<StepsEnd> vote = co_await send_to_node(side, node, step, use);
    if (vote.yes) ++yes;
    if (vote.value == StepsEnd::unknown) ++unknown;
  }
  co_return conclude(yes, unknown, nodes);
}

Task<StepsEnd> send_at_once(std::shared_ptr<ProtocolSide> side, const ProtocolStep& step,
                            ProtocolUse use) {
  const std::size_t nodes = side->nodes.size();
  Children<StepsEnd> children;
  for (std::size_t node = 0; node < nodes; ++node) {
    children.push_back(send_to_node(side, node, step, use));
  }
  Env& env = side->env;
  const Instant deadline = env.now() + use.node_deadline;
  const std::optional<Point> no_point;
  const std::size_t need = nodes / 2 + 1;
  const Tally<StepsEnd> tally =
      co_await quorum(env, Lane::caller, std::move(children), need, deadline, no_point);
  std::size_t unknown = tally.open();
  for (const auto& vote : tally.votes) {
    if (vote && vote->value == StepsEnd::unknown) ++unknown;
  }
  co_return conclude(tally.yes, unknown, nodes);
}

}  // namespace

std::string random_token(Env& env) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::byte, 16> bytes{};
  env.random(bytes);
  std::string token;
  for (const auto byte : bytes) {
    token.push_back(kDigits[std::to_integer<std::size_t>(byte >> 4)]);
    token.push_back(kDigits[std::to_integer<std::size_t>(byte & std::byte{15})]);
  }
  return token;
}

Task<StepsEnd> run_steps(std::shared_ptr<ProtocolSide> side, const std::vector<ProtocolStep>& steps,
                         ProtocolUse use) {
  const bool at_once = side->protocol.quorum && !side->protocol.sequential;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) {
      co_await Checkpoint(side->env, Point::protocol_step);
    }
    const ProtocolStep& step = steps[i];
    StepsEnd end = StepsEnd::unknown;
    if (at_once) {
      end = co_await send_at_once(side, step, use);
    } else {
      end = co_await send_in_turn(side, step, use);
    }
    if (end != StepsEnd::done) co_return end;
  }
  co_return StepsEnd::done;
}

}  // namespace holdfast::workload
