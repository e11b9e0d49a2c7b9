#include "reports/render/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/explain.h"
#include "reports/explain_words.h"
#include "reports/history/kind_names.h"
#include "reports/render/escape.h"
#include "reports/render/write.h"

namespace holdfast::report {
namespace {

using OrderedJson = nlohmann::ordered_json;
using history::History;

OrderedJson interval(const judge::Interval& interval) {
  return OrderedJson::array({interval.begin, interval.end});
}

// An id's name, or null for none.
template <typename Id>
OrderedJson name_or_null(const history::Names& names, Id id) {
  if (id == 0 || id >= names.size()) return nullptr;
  return valid_utf8(names[id]);
}

OrderedJson witness_json(const History& h, const judge::Witness& w) {
  OrderedJson json;
  json["resource"] = name_or_null(h.resources, w.resource);
  json["node"] = name_or_null(h.nodes, w.node);
  json["first"] = {{"client", name_or_null(h.actors, w.first_actor)},
                   {"grant", w.first_grant},
                   {"interval_ns", interval(w.first)}};
  json["second"] = {{"client", name_or_null(h.actors, w.second_actor)},
                    {"grant", w.second_grant},
                    {"interval_ns", interval(w.second)}};
  json["overlap_ns"] = interval(w.overlap);
  json["events"] = w.events;
  return json;
}

std::string_view state_name(judge::State state) {
  switch (state) {
    case judge::State::held:
      return "held";
    case judge::State::violated:
      return "violated";
    case judge::State::not_judged:
      return "not judged";
  }
  return "?";
}

OrderedJson judgement_json(const History& h, const judge::Judgement& judgement) {
  OrderedJson json;
  json["verdict"] = judge::name(judgement.verdict);
  json["grants"] = judgement.grants;
  json["contended_grants"] = judgement.contended_grants;
  OrderedJson findings = OrderedJson::object();
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    const judge::Finding& finding = judgement.findings[i];
    OrderedJson one;
    one["state"] = state_name(finding.state);
    if (!finding.why.empty()) one["why"] = valid_utf8(finding.why);
    OrderedJson witnesses = OrderedJson::array();
    for (const judge::Witness& w : finding.witnesses) witnesses.push_back(witness_json(h, w));
    if (!witnesses.empty()) one["witnesses"] = std::move(witnesses);
    findings[std::string(judge::name(static_cast<judge::Invariant>(i)))] = std::move(one);
  }
  json["findings"] = std::move(findings);
  return json;
}

OrderedJson event_json(const History& h, const history::Event& e) {
  OrderedJson json;
  json["at_ns"] = e.at;
  json["kind"] = history::kind_name(e.kind);
  if (e.actor != 0) json["client"] = name_or_null(h.actors, e.actor);
  if (e.node != 0) json["node"] = name_or_null(h.nodes, e.node);
  if (e.resource != 0) json["resource"] = name_or_null(h.resources, e.resource);
  if (e.token != 0) json["token"] = name_or_null(h.tokens, e.token);
  if (e.grant != 0) json["grant"] = e.grant;
  if (e.a != 0) json["a"] = e.a;
  if (e.b != 0) json["b"] = e.b;
  if (e.flag != 0) json["flag"] = e.flag;
  json["text"] = valid_utf8(describe(h, e));
  return json;
}

OrderedJson explanation_json(const Explanation& why) {
  OrderedJson json;
  json["sentence"] = valid_utf8(why.sentence);
  json["invariant"] = judge::name(why.invariant);
  json["invariant_says"] = judge::one_line(why.invariant);
  json["blame"] = valid_utf8(why.blame_text);
  OrderedJson causes = OrderedJson::array();
  for (const Cause& cause : why.causes) {
    OrderedJson one;
    one["at_ns"] = cause.at;
    one["text"] = valid_utf8(cause.text);
    one["event"] = cause.event;
    if (cause.fault != 0) one["fault"] = cause.fault;
    causes.push_back(std::move(one));
  }
  json["causes"] = std::move(causes);
  json["also"] = OrderedJson::array();
  for (const Explanation::Also& also : why.also) {
    json["also"].push_back(
        {{"invariant", judge::name(also.invariant)}, {"sentence", valid_utf8(also.sentence)}});
  }
  return json;
}

OrderedJson violation_json(const ViolationRun& run) {
  OrderedJson json;
  json["seed"] = run.seed;
  json["fingerprint"] = fmt::format("{:016x}", run.history.fingerprint);
  json["reproduce"] = valid_utf8(run.reproduce);
  json["rerun_identical"] = run.rerun_identical;
  json["page"] = valid_utf8(run.html_path);
  json["history"] = valid_utf8(history_file(run));
  json["explanation"] = explanation_json(run.explanation);
  json["judgement"] = judgement_json(run.history, run.judgement);
  OrderedJson faults = OrderedJson::array();
  for (std::size_t i = 1; i < run.history.fault_text.size(); ++i) {
    faults.push_back(valid_utf8(run.history.fault_text[i]));
  }
  json["faults"] = std::move(faults);
  OrderedJson events = OrderedJson::array();
  for (const history::Event& e : run.history.events) events.push_back(event_json(run.history, e));
  json["events"] = std::move(events);
  return json;
}

OrderedJson scenario_json(const ScenarioResult& s) {
  OrderedJson json;
  json["name"] = valid_utf8(s.name);
  json["world"] = valid_utf8(s.world);
  json["shows"] = valid_utf8(s.shows);
  json["file"] = valid_utf8(s.file);
  json["source"] = OrderedJson::array();
  for (const std::string& source : s.source) json["source"].push_back(valid_utf8(source));
  json["met"] = s.met;
  json["interrupted"] = s.interrupted;
  json["expectation"] = valid_utf8(s.expectation_text);
  json["verdict"] = valid_utf8(s.verdict_text);
  json["not_met_because"] = valid_utf8(s.not_met_because);
  json["vacuous_because"] = valid_utf8(s.vacuous_because);
  json["environment_failure"] = valid_utf8(s.environment_failure);
  json["second_attempt"] = valid_utf8(s.second_attempt);
  json["first_seed"] = s.first_seed;
  json["runs"] = s.runs;
  json["judged"] = s.judged;
  json["vacuous"] = s.vacuous;
  json["out_of_budget"] = s.out_of_budget;
  json["environment_failures"] = s.environment_failures;
  json["grants"] = s.grants;
  json["contended_grants"] = s.contended_grants;
  json["kernel_events"] = s.kernel_events;
  json["seconds"] = s.seconds;
  json["text"] = valid_utf8(s.text);
  json["invariants"] = OrderedJson::array();
  for (const InvariantCount& count : s.invariants) {
    OrderedJson one;
    one["invariant"] = judge::name(count.invariant);
    one["expected"] = valid_utf8(count.expected);
    one["met"] = count.met;
    one["held"] = count.held;
    one["violated"] = count.violated;
    one["not_judged"] = count.not_judged;
    if (!count.why_not_judged.empty()) one["why_not_judged"] = valid_utf8(count.why_not_judged);
    if (count.first_violated_seed) one["first_violated_seed"] = *count.first_violated_seed;
    json["invariants"].push_back(std::move(one));
  }
  json["kinds"] = OrderedJson::array();
  for (const KindCount& kind : s.kinds) {
    json["kinds"].push_back({{"kind", blame_word(kind.blame)},
                             {"says", blame_text(kind.blame)},
                             {"runs", kind.runs},
                             {"first_seed", kind.first_seed}});
  }
  json["violations"] = OrderedJson::array();
  for (const ViolationRun& run : s.violations) json["violations"].push_back(violation_json(run));
  return json;
}

}  // namespace

std::string render_json(const Report& report) {
  OrderedJson json;
  json["holdfast_report"] = 1;
  json["program_version"] = valid_utf8(report.program_version);
  json["interrupted"] = report.interrupted;
  json["wanted"] = report.wanted;
  json["scenarios"] = OrderedJson::array();
  for (const ScenarioResult& scenario : report.scenarios) {
    json["scenarios"].push_back(scenario_json(scenario));
  }
  return json.dump(1) + "\n";
}

}  // namespace holdfast::report
