#include "scenarios/live/existing_servers.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/proof.h"
#include "scenarios/workload/guarded_resource.h"

namespace holdfast::live {
namespace {

using scenario::FaultSpec;
using scenario::ParseError;
using scenario::Scenario;
using namespace std::chrono_literals;

constexpr Duration kAnswerPatience = 5s;

// In braces: a hash tag, so that the names that the lock core derives from a key (its fencing
// counter) begin with the prefix too. The number of a process alone is not enough: other machines
// may use the same servers.
std::string new_prefix() {
  std::uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) fail_with_errno("getrandom");
  return fmt::format("{{holdfast:{}-{:08x}}}:", getpid(), random);
}

bool is_client(const Scenario& scenario, const std::string& name) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [&](const auto& one) { return one.name == name; });
}

// Why servers of others cannot be struck by this fault; empty when they are not.
std::string refusal(const Scenario& scenario, const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultSpec::Kind::pause:
    case FaultSpec::Kind::crash:
    case FaultSpec::Kind::restart:
    case FaultSpec::Kind::cut:
    case FaultSpec::Kind::reset:
    case FaultSpec::Kind::delay:
    case FaultSpec::Kind::drop_reply:
      if (is_client(scenario, fault.target)) return {};
      break;
    default:
      break;
  }
  return "this fault strikes a server; with --redis only clients and their links can be struck";
}

void refuse_servers(const Scenario& scenario, std::vector<ParseError>& errors) {
  for (const auto& server : scenario.servers) {
    if (!server.replica_of.empty()) {
      errors.push_back({server.origin, "a replica; with --redis there are no replicas"});
    }
    if (server.clock_offset != Duration::zero() || server.clock_ppm != 0) {
      errors.push_back({server.origin, "with --redis no server's clock can be bent"});
    }
  }
}

void refuse_protocol(const Scenario& scenario, std::vector<ParseError>& errors) {
  if (!scenario.lock.protocol) return;
  const auto& protocol = *scenario.lock.protocol;
  for (const auto* steps : {&protocol.acquire, &protocol.renew, &protocol.release}) {
    for (const auto& step : *steps) {
      const bool named = std::any_of(step.send.begin(), step.send.end(), [](const auto& word) {
        return word.find("$key") != std::string::npos;
      });
      if (named || step.send.empty()) continue;
      errors.push_back({protocol.origin, "the protocol's command " + step.send[0] +
                                             " names no $key; with --redis every key is under a "
                                             "prefix of its own"});
    }
  }
}

void refuse_addresses(const Scenario& scenario, const std::vector<ServerAddress>& addresses,
                      std::vector<ParseError>& errors) {
  const std::size_t nodes = scenario.lock.nodes.size();
  if (addresses.size() != nodes && addresses.size() != nodes + 1) {
    errors.push_back(
        {scenario.lock.origin,
         fmt::format("--redis names {} server{}; expected {} for the lock's nodes, or {} with one "
                     "for the guarded resources",
                     addresses.size(), addresses.size() == 1 ? "" : "s", nodes, nodes + 1)});
  }
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Every key under the prefix, in as many SCANs as it takes.
void delete_keys(CommandConnection& commands, const std::string& prefix) {
  std::string cursor = "0";
  do {
    const auto scanned =
        commands.try_ask({"SCAN", cursor, "MATCH", prefix + "*", "COUNT", "1000"}, kAnswerPatience);
    if (!scanned || scanned->elements.size() != 2) return;
    cursor = scanned->elements[0].text;
    for (const Reply& key : scanned->elements[1].elements) {
      if (!commands.try_ask({"DEL", key.text}, kAnswerPatience)) return;
    }
  } while (cursor != "0");
}

}  // namespace

std::vector<ParseError> refused_on_existing_servers(const Scenario& scenario,
                                                    const std::vector<ServerAddress>& addresses) {
  std::vector<ParseError> errors;
  refuse_addresses(scenario, addresses, errors);
  refuse_servers(scenario, errors);
  refuse_protocol(scenario, errors);
  for (const FaultSpec& fault : scenario.faults) {
    const ParseError error{fault.origin, refusal(scenario, fault)};
    // A promotion whose old master returns is two faults of one place.
    const bool told = !errors.empty() && errors.back().text() == error.text();
    if (!error.message.empty() && !told) errors.push_back(error);
  }
  return errors;
}

bool ClockReading::agrees_with(const ClockReading& other) const {
  const Duration apart = std::chrono::abs(wall_minus_host - other.wall_minus_host);
  return apart <= error + other.error;
}

ClockReading read_clock(CommandConnection& server) {
  constexpr int kSamples = 32;
  constexpr Duration kResolution = 1us;  // of TIME
  ClockReading best;
  for (int i = 0; i < kSamples; ++i) {
    const Instant before = host_now();
    const auto time = server.try_ask({"TIME"}, kAnswerPatience);
    const Duration half = (host_now() - before) / 2;
    if (!time || time->elements.size() != 2) {
      throw EnvironmentFailure("a Redis server does not tell its TIME: " +
                               (time ? time->text : server.problem()));
    }
    if (i > 0 && half + kResolution >= best.error) continue;
    const Duration wall = std::chrono::seconds(number(time->elements[0].text)) +
                          std::chrono::microseconds(number(time->elements[1].text));
    best = {wall - (before + half).time_since_epoch(), half + kResolution};
  }
  return best;
}

ExistingServers::ExistingServers(const Scenario& scenario,
                                 const std::vector<ServerAddress>& addresses)
    : key_prefix_(new_prefix()) {
  for (std::size_t i = 0; i < scenario.lock.nodes.size(); ++i) {
    meet(scenario.lock.nodes[i], addresses.at(i));
  }
  meet(std::string(workload::kGuardedServer), addresses.back());
}

ExistingServers::~ExistingServers() {
  for (const One& server : servers_) delete_keys(*server.commands, key_prefix_);
}

void ExistingServers::meet(std::string name, const ServerAddress& address) {
  One server{std::move(name), address, resolve(address), {}, {}};
  server.commands = std::make_unique<CommandConnection>(address.host, address.port);
  const auto ask = [&](const Command& command) {
    auto reply = server.commands->try_ask(command, kAnswerPatience);
    if (!reply) {
      throw EnvironmentFailure("cannot reach the Redis server at " + address.text() + ": " +
                               server.commands->problem());
    }
    if (reply->is_error()) {
      throw EnvironmentFailure("the Redis server at " + address.text() +
                               " refuses: " + reply->text);
    }
    return *std::move(reply);
  };
  ask({"PING"});
  const Reply role = ask({"ROLE"});
  if (role.elements.empty() || role.elements[0].text != "master") {
    throw EnvironmentFailure("the Redis server at " + address.text() + " is not a master");
  }
  server.clock = read_clock(*server.commands);
  servers_.push_back(std::move(server));
}

}  // namespace holdfast::live
