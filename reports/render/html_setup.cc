// What was judged, and the set-up of the run.
#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/html_parts.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using history::Nanos;

// How far a clock was from where it would be without the recorded steps and rates, at an instant.
struct ClockError {
  Nanos offset = 0;
  std::int64_t ppm = 0;
  bool touched = false;
};

ClockError clock_of(const Record& record, history::NodeId node, Nanos at) {
  ClockError error;
  Nanos last = 0;
  const auto run_to = [&](Nanos now) {
    // Rates are small: a year times the ppm of a doubled clock, divided first, stays exact enough.
    error.offset += (now - last) / 1000 * error.ppm / 1000;
    last = now;
  };
  for (const Event& e : record.history.events) {
    if (e.at > at) break;
    if (e.node != node || (e.kind != Kind::clock_stepped && e.kind != Kind::clock_rate)) continue;
    run_to(e.at);
    error.touched = true;
    if (e.kind == Kind::clock_stepped) error.offset += e.a;
    if (e.kind == Kind::clock_rate) error.ppm = e.a;
  }
  run_to(at);
  return error;
}

std::string clock_text(const ClockError& error) {
  if (!error.touched) return "true";
  std::string text = fmt::format("{}{}", error.offset < 0 ? "" : "+", span(error.offset));
  if (error.ppm != 0) text += fmt::format(", runs {}", rate(error.ppm));
  return text;
}

Nanos violation_at(const ViolationRun& run) {
  const judge::Finding& finding = run.judgement[run.explanation.invariant];
  if (!finding.witnesses.empty()) return finding.witnesses.front().overlap.begin;
  return run.history.events.empty() ? 0 : run.history.events.back().at;
}

std::string servers(const Record& record, Nanos at) {
  std::string out = fmt::format(
      "<table><thead><tr><th>server</th><th>role at first</th><th>clock at the violation, {}</th>"
      "</tr></thead><tbody>\n",
      seconds(at));
  for (const history::NodeSetup& node : record.history.setup.nodes) {
    std::string role = node.guarded ? "guarded resource" : "master";
    if (node.replica_of != 0) role = "replica of " + node_name(record.history, node.replica_of);
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_markup(node_name(record.history, node.node)), escape_markup(role),
                       escape_markup(clock_text(clock_of(record, node.node, at))));
  }
  return out + "</tbody></table>\n";
}

std::string lock_row(const Record& record, const history::LockSetup& lock) {
  std::vector<std::string> nodes;
  nodes.reserve(lock.nodes.size());
  for (const history::NodeId node : lock.nodes) nodes.push_back(node_name(record.history, node));
  std::vector<std::string> guards;
  guards.reserve(lock.guards.size());
  for (const history::ResourceId guard : lock.guards) {
    guards.push_back(resource_name(record.history, guard));
  }
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "</tr>\n",
      escape_markup(resource_name(record.history, lock.resource)), escape_markup(listed(nodes)),
      lock.quorum, span(lock.ttl), lock.watchdog ? "on" : "off", span(lock.node_deadline),
      lock.replicas, guards.empty() ? "its own name" : escape_markup(listed(guards)));
}

std::string faults(const Record& record) {
  if (record.history.fault_text.size() <= 1) return "";
  std::string out =
      "<table><thead><tr><th>fault</th><th>what</th><th>struck</th></tr></thead><tbody>\n";
  for (std::size_t i = 1; i < record.history.fault_text.size(); ++i) {
    std::string fired;
    for (const Event& e : record.history.events) {
      if (e.kind != Kind::fault_fired || e.a != static_cast<std::int64_t>(i)) continue;
      fired += (fired.empty() ? "" : ", ") + seconds(e.at);
    }
    out += fmt::format("<tr><td>F{}</td><td>{}</td><td>{}</td></tr>\n", i,
                       escape_markup(record.history.fault_text[i]),
                       fired.empty() ? "<span class=\"quiet\">not in this run</span>" : fired);
  }
  return out + "</tbody></table>\n";
}

}  // namespace

std::string html_findings(const judge::Judgement& judgement) {
  std::string out =
      "<details open><summary>Every invariant of this run</summary>\n<div class=\"table\"><table>\n"
      "<thead><tr><th>invariant</th><th>state</th><th>says</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    const auto invariant = static_cast<judge::Invariant>(i);
    const judge::Finding& finding = judgement.findings[i];
    std::string state = "held";
    if (finding.state == judge::State::violated) {
      state = finding.witnesses.size() > 1
                  ? fmt::format("<span class=\"bad\">violated, {} times</span>",
                                finding.witnesses.size())
                  : "<span class=\"bad\">violated</span>";
    } else if (finding.state == judge::State::not_judged) {
      state = fmt::format("<span class=\"quiet\">not judged{}{}</span>",
                          finding.why.empty() ? "" : ": ", escape_markup(finding.why));
    }
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_markup(judge::name(invariant)), state,
                       escape_markup(judge::one_line(invariant)));
  }
  return out + "</tbody></table></div></details>\n";
}

std::string html_setup(const Record& record, const ViolationRun& run) {
  const history::Setup& setup = record.history.setup;
  std::string out = "<details open><summary>Set-up</summary>\n<div class=\"table\">\n";
  out +=
      "<table><thead><tr><th>lock</th><th>servers</th><th>quorum</th><th>TTL</th><th>watchdog</th>"
      "<th>node deadline</th><th>replicas waited for</th><th>guards</th></tr></thead><tbody>\n";
  for (const history::LockSetup& lock : setup.locks) out += lock_row(record, lock);
  out += "</tbody></table>\n" + servers(record, violation_at(run)) + faults(record);
  std::vector<std::string> clients;
  clients.reserve(setup.clients.size());
  for (const history::ActorId actor : setup.clients) {
    clients.push_back(actor_name(record.history, actor));
  }
  out += fmt::format(
      "<p>Clients: {}. World: {}. Seed: {}. Time limit: {}{}.</p>\n",
      escape_markup(listed(clients)), escape_markup(setup.world), setup.seed, span(setup.until),
      setup.scale == 1.0 ? "" : fmt::format(", durations scaled by {}", setup.scale));
  return out + "</div></details>\n";
}

}  // namespace holdfast::report
