// The event table and the history of the lock by token.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/explain_words.h"
#include "reports/history/kind_names.h"
#include "reports/render/escape.h"
#include "reports/render/html_parts.h"

namespace holdfast::report {
namespace {

using history::Event;

// The number of the cause that this event is, 0 for none.
std::size_t cause_number(const Explanation& explanation, EventIndex index) {
  for (std::size_t i = 0; i < explanation.causes.size(); ++i) {
    if (explanation.causes[i].event == index) return i + 1;
  }
  return 0;
}

// For the filter: one word an actor or server, whatever its name holds.
std::string who_of(const Event& e) {
  std::string who;
  if (e.actor != 0) who += fmt::format("a{}", e.actor);
  if (e.node != 0) who += fmt::format("{}n{}", who.empty() ? "" : " ", e.node);
  return who;
}

std::string filter_form(const Record& record) {
  std::string out =
      "<form id=\"filter\" hidden>\n"
      "<label>Words <input type=\"search\" id=\"filter-words\"></label>\n"
      "<label>Who <select id=\"filter-who\"><option value=\"\">everyone</option>\n";
  for (const history::ActorId actor : record.history.setup.clients) {
    out += fmt::format("<option value=\"a{}\">{}</option>\n", actor,
                       escape_markup(actor_name(record.history, actor)));
  }
  for (const history::NodeSetup& node : record.history.setup.nodes) {
    out += fmt::format("<option value=\"n{}\">{}</option>\n", node.node,
                       escape_markup(node_name(record.history, node.node)));
  }
  return out +
         "</select></label>\n"
         "<label><input type=\"checkbox\" id=\"filter-causes\"> causes only</label>\n"
         "<span id=\"filter-count\" class=\"quiet\"></span>\n</form>\n";
}

std::string event_row(const Record& record, const Explanation& explanation, EventIndex index) {
  const Event& e = record.event(index);
  const std::size_t cause = cause_number(explanation, index);
  const std::string number =
      cause == 0 ? std::string() : fmt::format("<a href=\"#cause-{0}\">cause {0}</a>", cause);
  return fmt::format(
      "<tr id=\"e{0}\" data-who=\"{1}\"{2}><td class=\"number quiet\">{0}</td><td "
      "class=\"when\">{3}</td><td>{4}</td><td>{5}</td><td class=\"quiet\">{6}</td><td>{7}</td>"
      "<td>{8}</td></tr>\n",
      index, who_of(e), cause == 0 ? "" : " class=\"is-cause\"", exact_seconds(e.at),
      e.actor == 0 ? "" : escape_markup(actor_name(record.history, e.actor)),
      e.node == 0 ? "" : escape_markup(node_name(record.history, e.node)),
      history::kind_name(e.kind), escape_markup(describe(record.history, e)), number);
}

std::string ending(const Record& record, const Holding& holding) {
  if (holding.end == kNoEvent) return "still there at the run's end";
  const Event& e = record.event(holding.end);
  switch (e.kind) {
    case history::Kind::key_expired:
      return "expired";
    case history::Kind::key_deleted:
      return e.actor == 0 ? "deleted" : "deleted by " + actor_name(record.history, e.actor);
    case history::Kind::key_dropped:
      return fmt::format("lost by {}", drop_cause_name(e.a));
    default:
      return "replaced";
  }
}

std::string holding_row(const Record& record, const Holding& holding, bool first) {
  const Grant* grant = record.grant(holding.grant);
  const std::string who = holding.actor == 0 ? "?" : actor_name(record.history, holding.actor);
  std::string acquired;
  if (grant != nullptr && grant->acquired) acquired = seconds(record.event(grant->returned).at);
  if (grant != nullptr && !grant->acquired && grant->returned != kNoEvent) {
    acquired = "no: " + std::string(acquire_outcome_name(record.event(grant->returned).a));
  }
  const std::string fencing =
      grant == nullptr || grant->fencing == 0 ? "" : fmt::format("{}", grant->fencing);
  const std::size_t renewals = holding.deadlines.size() - 1;
  return fmt::format(
      "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td class=\"number\">{}</td>"
      "<td>{}</td><td class=\"when\"><a href=\"#e{}\">{}</a></td><td class=\"when\">{}</td><td "
      "class=\"number\">{}</td><td>{}</td></tr>\n",
      first ? escape_markup(resource_name(record.history, holding.resource)) : "",
      first ? escape_markup(holding.token < record.history.tokens.size()
                                ? record.history.tokens[holding.token]
                                : "?")
            : "",
      first ? escape_markup(who) : "", first ? escape_markup(acquired) : "", first ? fencing : "",
      escape_markup(node_name(record.history, holding.node)), holding.set,
      exact_seconds(holding.from), exact_seconds(holding.until), renewals,
      escape_markup(ending(record, holding)));
}

}  // namespace

std::string html_events(const Record& record, const Explanation& explanation) {
  std::string out = fmt::format("<h2>Events</h2>\n{}", filter_form(record));
  out +=
      "<div class=\"table\"><table id=\"events\">\n<thead><tr><th class=\"number\">#</th><th "
      "class=\"number\">s</th><th>client</th><th>server</th><th>kind</th><th>what</th><th></th>"
      "</tr></thead>\n<tbody>\n";
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    out += event_row(record, explanation, i);
  }
  return out + "</tbody></table></div>\n";
}

std::string html_lock_history(const Record& record) {
  if (record.holdings.empty()) return "";
  std::string out =
      "<details open><summary>The lock, by token</summary>\n<div class=\"table\"><table>\n"
      "<thead><tr><th>lock</th><th>token</th><th>client</th><th>acquired</th><th "
      "class=\"number\">fencing</th><th>server</th><th class=\"number\">from</th><th "
      "class=\"number\">until</th><th class=\"number\">renewals</th><th>then</th></tr></thead>\n"
      "<tbody>\n";
  std::vector<const Holding*> rest;
  rest.reserve(record.holdings.size());
  for (const Holding& holding : record.holdings) rest.push_back(&holding);
  while (!rest.empty()) {
    const Holding& head = *rest.front();
    bool first = true;
    std::erase_if(rest, [&](const Holding* holding) {
      const bool same = holding->token == head.token && holding->resource == head.resource &&
                        holding->grant == head.grant;
      if (same) out += holding_row(record, *holding, first);
      first = first && !same;
      return same;
    });
  }
  return out + "</tbody></table></div></details>\n";
}

}  // namespace holdfast::report
