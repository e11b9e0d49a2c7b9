#include "scenarios/serve/service.h"

#include <fmt/format.h>

#include <utility>

#include "scenarios/format/scale.h"

namespace holdfast::serve {
namespace {

// Of so many masters a client of this scenario's lock must be told yes.
std::size_t quorum(const scenario::Scenario& scenario) {
  const bool many = scenario.lock.algorithm == scenario::LockSpec::Algorithm::redlock ||
                    (scenario.lock.protocol && scenario.lock.protocol->quorum);
  return many ? scenario.lock.nodes.size() / 2 + 1 : 1;
}

}  // namespace

Service::Service(detail::LoopCore& core, const scenario::Scenario& scenario,
                 const ServiceOptions& options, std::function<void(const std::string&)> say)
    : scenario_(options.scale == 1.0 ? scenario : scenario::scaled(scenario, options.scale)),
      say_(std::move(say)),
      locks_(quorum(scenario), [this](const PossibleOverlap& overlap) { overlapped(overlap); }) {
  if (!options.out.empty()) record_ = std::make_unique<TrafficRecord>(options.out, scenario_);
  TrafficWatcher& traffic = *this;
  Chronicle& chronicle = *this;
  front_ = std::make_unique<Front>(core, scenario_, locks_, traffic, options.front);
  locks_.attach(*front_);
  if (record_) record_->attach(*front_);
  faults_ = std::make_unique<Faults>(*front_, scenario_, chronicle);
  words_ = std::make_unique<FaultWords>(*front_, *faults_, scenario_, chronicle);
  if (options.control) {
    control_ = std::make_unique<ControlPort>(
        *core.uv(), *options.control, [this](const Command& said) { return run_fault(said); });
  }
  faults_->begin(options.front.seed);
}

Service::~Service() = default;

Reply Service::run_fault(const Command& words) {
  front_->catch_up();
  return words_->run(words);
}

// -- what is said

std::vector<std::string> Service::introduction() const {
  std::vector<std::string> lines;
  for (NodeId node = 1; node <= front_->cluster().size(); ++node) {
    lines.push_back(
        fmt::format("{} 127.0.0.1:{}", front_->cluster().name(node), front_->address(node).port()));
  }
  if (control_) lines.push_back(fmt::format("control 127.0.0.1:{}", control_->port()));
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const Problem why = faults_->not_applicable(scenario_.faults[i]);
    if (why.empty()) continue;
    lines.push_back(fmt::format("F{} is not struck by itself ({}): {}", i + 1, why,
                                scenario_.faults[i].describe()));
  }
  return lines;
}

std::vector<std::string> Service::summary() const {
  std::vector<std::string> lines;
  const double seconds =
      std::chrono::duration<double>(front_->cluster().now().time_since_epoch()).count();
  lines.push_back(
      fmt::format("served {:.3f} s: {} commands, {} acquisitions of what looks like a "
                  "lock, {} possible overlaps",
                  seconds, front_->commands(), acquisitions(), overlaps_.size()));
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < overlaps_.size() && i < kMost; ++i) {
    lines.push_back("  " + describe(overlaps_[i]));
  }
  if (overlaps_.size() > kMost) {
    lines.push_back(fmt::format("  and {} more", overlaps_.size() - kMost));
  }
  if (!overlaps_.empty()) {
    lines.emplace_back(
        "A server sees commands and answers, not what a client believes: a client may have stopped "
        "using its lock without a word.");
  }
  if (record_) lines.push_back("record: " + record_->path());
  if (record_ && record_->failed()) lines.emplace_back("the record is not whole: writing failed");
  return lines;
}

void Service::fault(const std::string& words) {
  if (record_) record_->fault(words);
  say_(fmt::format(
      "{:.3f} s  {}",
      std::chrono::duration<double>(front_->cluster().now().time_since_epoch()).count(), words));
}

void Service::overlapped(const PossibleOverlap& overlap) {
  overlaps_.push_back(overlap);
  if (record_) record_->overlap(overlap);
  say_(describe(overlap));
}

// -- what happens

void Service::happened(history::Kind kind, NodeId node, std::int64_t a, std::int64_t b) {
  if (kind == history::Kind::node_promoted) locks_.promoted(node);
  if (record_) record_->happened(kind, node, a, b);
}
void Service::opened(const Connection& client, NodeId node) {
  if (record_) record_->opened(client, node);
}
void Service::commanded(const Connection& client, NodeId node, const Command& command) {
  locks_.commanded(client, node, command);
  if (record_) record_->commanded(client, node, command);
}
void Service::answered(const Connection& client, NodeId node, const Reply& reply, bool told) {
  locks_.answered(client, node, reply, told);
  if (record_) record_->answered(client, node, reply, told);
}
void Service::left(const Connection& client, NodeId node) {
  if (record_) record_->left(client, node);
}

}  // namespace holdfast::serve
