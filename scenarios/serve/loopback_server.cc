#include "scenarios/serve/loopback_server.h"

#include <fmt/format.h>

#include <exception>
#include <future>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "scenarios/format/duration.h"
#include "scenarios/format/parse.h"
#include "scenarios/serve/service.h"
#include "sim/redis/split_words.h"

namespace holdfast::serve {
namespace {

scenario::Scenario one_master() {
  scenario::Scenario scenario;
  scenario.name = "one-master";
  scenario.servers.push_back({"n1"});
  scenario.lock.nodes.emplace_back("n1");
  return scenario;
}

scenario::Scenario parsed(std::string_view text) {
  auto result = scenario::parse_text(text, "scenario");
  if (const auto* errors = std::get_if<std::vector<scenario::ParseError>>(&result)) {
    throw std::invalid_argument(errors->front().text());
  }
  return std::get<scenario::Scenario>(std::move(result));
}

}  // namespace

struct LoopbackServer::State {
  explicit State(scenario::Scenario one) : scenario(std::move(one)) {
    std::promise<void> started;
    auto ready = started.get_future();
    thread = std::thread([this, &started] { serve(started); });
    try {
      ready.get();
    } catch (...) {
      thread.join();
      throw;
    }
  }
  ~State() {
    core.stop();
    thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void serve(std::promise<void>& started) {
    try {
      service = std::make_unique<Service>(core, scenario, ServiceOptions(), [](const auto&) {});
      for (NodeId node = 1; node <= service->front().cluster().size(); ++node) {
        ports[service->front().cluster().name(node)] = service->front().address(node).port();
      }
      started.set_value();
    } catch (...) {
      return started.set_exception(std::current_exception());
    }
    core.run([] { return false; });
    service.reset();
  }
  // On the serving thread.
  template <class Result>
  Result on_thread(std::function<Result()> action) {
    std::promise<Result> result;
    core.post([&] { result.set_value(action()); });
    return result.get_future().get();
  }

  scenario::Scenario scenario;
  detail::LoopCore core;
  std::unique_ptr<Service> service;  // of the thread
  std::map<std::string, std::uint16_t, std::less<>> ports;
  std::thread thread;
};

LoopbackServer::LoopbackServer() : LoopbackServer(one_master()) {}
LoopbackServer::LoopbackServer(std::string_view scenario) : LoopbackServer(parsed(scenario)) {}
LoopbackServer::LoopbackServer(const scenario::Scenario& scenario)
    : state_(std::make_unique<State>(scenario)) {}
LoopbackServer::~LoopbackServer() = default;

std::uint16_t LoopbackServer::port(std::string_view node) const {
  const auto found = state_->ports.find(node);
  if (found != state_->ports.end()) return found->second;
  throw std::invalid_argument("there is no node '" + std::string(node) + "'");
}

std::string LoopbackServer::fault(const std::string& words) {
  Command command;
  if (!sim::redis::split_words(words, command) || command.empty()) {
    throw std::invalid_argument("no fault: '" + words + "'");
  }
  const Reply reply = state_->on_thread<Reply>([&] { return state_->service->run_fault(command); });
  if (reply.is_error()) throw std::invalid_argument(reply.text);
  return reply.text;
}

void LoopbackServer::advance(Duration by) { fault("advance " + scenario::short_form(by)); }

std::vector<std::string> LoopbackServer::possible_overlaps() {
  return state_->on_thread<std::vector<std::string>>([&] {
    std::vector<std::string> lines;
    for (const auto& overlap : state_->service->overlaps()) lines.push_back(describe(overlap));
    return lines;
  });
}

}  // namespace holdfast::serve
