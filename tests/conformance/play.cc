#include "tests/conformance/play.h"

#include <exception>

#include "scenarios/live/command_connection.h"
#include "tests/conformance/command_words.h"
#include "tests/conformance/network_lab.h"
#include "tests/conformance/real_lab.h"
#include "tests/conformance/simulated_lab.h"

namespace holdfast::conformance {
namespace {

constexpr Duration kPatience = 10s;

}  // namespace

void Play::send(const Connection& connection, std::span<const Command> commands) {
  sent_[std::string(connection.name)] = lab_.now();
  lab_.send(connection, commands);
}

void Play::expect(const Connection& connection, const Expectation& reply, const Timing& when) {
  const Answer got = lab_.receive(connection, kPatience);
  find(reply.judge(got, lab_.exact()));
  find(when.judge(got.at - sent_[std::string(connection.name)], lab_.exact()));
}

Answer Play::ask(const Connection& connection, std::string_view command) {
  const Command asked = words(command);
  send(connection, {&asked, 1});
  return lab_.receive(connection, kPatience);
}

void Play::until(const Connection& connection, const std::string& command, const Expectation& reply,
                 const Timing& when) {
  const Duration end = when.by == Duration::max() ? marked + kPatience
                                                  : marked + when.by + 2 * late_allowance(when.by);
  while (true) {
    const Answer got = ask(connection, command);
    const Finding finding = reply.judge(got, lab_.exact());
    if (!finding) return find(when.judge(got.at - marked, lab_.exact()));
    if (lab_.now() >= end) return find({finding.text + " for so long", !lab_.exact()});
    lab_.sleep(lab_.exact() ? 100us : 1ms);
  }
}

std::string Play::info(const Connection& connection, const std::string& section,
                       const std::string& field) {
  const Answer got = ask(connection, "INFO " + section);
  const std::string value = live::info_field(got.reply.text, field);
  if (value.empty()) find({"INFO " + section + " has no " + field});
  return value;
}

Finding play(const Row& row, Lab& lab) {
  Play run(lab);
  std::size_t number = 0;
  for (const Step& step : row.steps) {
    ++number;
    try {
      step.run(run);
    } catch (const std::exception& failure) {
      run.find({failure.what()});
    }
    if (!run.finding()) continue;
    Finding finding = run.finding();
    finding.text = "step " + std::to_string(number) + ", " + step.text + ": " + finding.text;
    return finding;
  }
  return {};
}

std::unique_ptr<Lab> make_lab(World world, const Topology& topology) {
  if (world == World::real) return std::make_unique<RealLab>(topology);
  if (topology.linked) return std::make_unique<NetworkLab>(topology);
  return std::make_unique<SimulatedLab>(topology);
}

Finding play_in(World world, const Row& row) {
  Finding finding;
  for (int attempts = 0; attempts < 3; ++attempts) {
    finding = play(row, *make_lab(world, row.topology));
    if (!finding || !finding.late || world == World::simulated) break;
  }
  return finding;
}

}  // namespace holdfast::conformance
