// The page of one violation: its first screen and the order of its parts.
#include "reports/render/html.h"

#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/render/escape.h"
#include "reports/render/html_parts.h"
#include "reports/render/outcome.h"
#include "reports/render/picture.h"
#include "reports/render/svg.h"

namespace holdfast::report {
namespace {

// Prose with its times kept whole: "503 ms" does not break between number and unit.
std::string prose(std::string_view text) {
  std::string out = escape_markup(text);
  for (const std::string_view unit : {" s", " ms", " us"}) {
    for (std::size_t at = out.find(unit); at != std::string::npos; at = out.find(unit, at + 1)) {
      const std::size_t end = at + unit.size();
      const bool number = at > 0 && out[at - 1] >= '0' && out[at - 1] <= '9';
      const bool whole = end == out.size() || out[end] < 'a' || out[end] > 'z';
      if (number && whole) out.replace(at, 1, "&#160;");
    }
  }
  return out;
}

std::string facts(const ScenarioResult& scenario, const ViolationRun& run) {
  const Explanation& why = run.explanation;
  std::string out = "<dl class=\"facts\">\n";
  out += fmt::format("<dt>Violated</dt><dd><b>{}</b>: {}</dd>\n",
                     escape_markup(judge::name(why.invariant)),
                     escape_markup(judge::one_line(why.invariant)));
  if (!why.blame_text.empty()) {
    out += fmt::format("<dt>In short</dt><dd class=\"blame\">{}</dd>\n",
                       escape_markup(why.blame_text));
  }
  for (const Explanation::Also& also : why.also) {
    out += fmt::format("<dt>Also</dt><dd><b>{}</b>: {}</dd>\n",
                       escape_markup(judge::name(also.invariant)), escape_markup(also.sentence));
  }
  if (!run.reproduce.empty()) {
    const auto [label, note] = again(scenario, run);
    out +=
        fmt::format("<dt>{}</dt><dd><code class=\"command\">{}</code>{}{}</dd>\n", capital(label),
                    escape_markup(run.reproduce), capital(note),
                    run.rerun_identical ? fmt::format(", {:016x}", run.history.fingerprint) : "");
  }
  out += fmt::format("<dt>Scenario</dt><dd>{}", escape_markup(scenario.shows));
  if (!scenario.verdict_text.empty()) {
    out += fmt::format(" ({}, {})", escape_markup(scenario.verdict_text),
                       scenario.met ? "as expected" : "<span class=\"bad\">not as expected</span>");
  }
  out += "</dd>\n";
  return out + "</dl>\n";
}

std::string chain(const Explanation& why) {
  std::string out = "<section><h2>How it came to this</h2>\n<ol class=\"causes\">\n";
  for (std::size_t i = 0; i < why.causes.size(); ++i) {
    const Cause& cause = why.causes[i];
    out += fmt::format(
        "<li id=\"cause-{0}\"{1}><span class=\"number\">{0}</span><a class=\"time\" "
        "href=\"#e{2}\">{3}</a><span>{4}</span></li>\n",
        i + 1, i + 1 == why.causes.size() ? " class=\"last\"" : "", cause.event, seconds(cause.at),
        prose(cause.text));
  }
  return out + "</ol></section>\n";
}

std::string legend() {
  const auto entry = [](std::string_view drawing, std::string_view words) {
    return fmt::format("<span><svg viewBox=\"0 0 34 12\" aria-hidden=\"true\">{}</svg>{}</span>\n",
                       drawing, words);
  };
  std::string out = "<div class=\"legend\">\n";
  out += entry("<rect class=\"c1 section\" width=\"34\" height=\"12\"/>",
               "its code believes that it is alone");
  out += entry("<rect class=\"c1 promise\" x=\".5\" y=\"2\" width=\"33\" height=\"8\"/>",
               "the lock promises it");
  out += entry("<rect class=\"backed\" y=\"3\" width=\"34\" height=\"6\"/>",
               "a quorum of servers holds its key: the truth");
  out +=
      entry("<rect class=\"c1 waiting\" x=\".5\" y=\"2\" width=\"33\" height=\"8\"/>", "waiting");
  out += entry("<rect class=\"stopped\" x=\".5\" y=\".5\" width=\"33\" height=\"11\"/>", "stopped");
  out += entry("<rect class=\"down\" x=\".5\" y=\".5\" width=\"33\" height=\"11\"/>", "dead");
  out += entry("<polygon class=\"c1 key\" points=\"0,12 0,0 34,10 34,12\"/>",
               "a key on a server, thinning as its TTL runs out");
  out += entry("<rect class=\"overlap\" x=\"1\" y=\"1\" width=\"32\" height=\"10\"/>",
               "the violation");
  out += entry("<rect class=\"c1 access\" x=\"6\" width=\"22\" height=\"12\" rx=\"6\"/>",
               "accepted write");
  out += entry(
      "<rect class=\"c1 access-refused\" x=\"7\" y=\"1\" width=\"20\" height=\"10\" rx=\"5\"/>"
      "<line class=\"refusal\" x1=\"8\" y1=\"11\" x2=\"26\" y2=\"1\"/>",
      "refused");
  return out + "</div>\n";
}

}  // namespace

std::string render_html(const ScenarioResult& scenario, const ViolationRun& run,
                        std::string_view scenario_text) {
  const Record record(run.history);
  const Picture picture = make_picture(record, run.judgement, run.explanation);
  std::string body = fmt::format(
      "<main>\n<p class=\"over\"><b>VIOLATED</b> &#160; {} &#160;&#183;&#160; {} "
      "&#160;&#183;&#160; seed {} &#160;&#183;&#160; <a href=\"index.html\">all "
      "scenarios</a></p>\n",
      escape_markup(scenario.name),
      scenario.world == "sim" ? "simulated" : escape_markup(scenario.world), run.seed);
  body += fmt::format("<h1>{}</h1>\n", prose(run.explanation.sentence));
  body += fmt::format("<div class=\"first\">\n{}{}</div>\n", facts(scenario, run),
                      chain(run.explanation));
  body += fmt::format("<figure>\n{}</figure>\n{}", draw_svg(picture), legend());
  body += html_events(record, run.explanation);
  body += html_lock_history(record);
  body += html_findings(run.judgement);
  body += html_setup(record, run);
  if (!scenario_text.empty()) {
    body += fmt::format("<details><summary>Scenario file{}</summary>\n<pre>{}</pre></details>\n",
                        scenario.file.empty() ? "" : ": " + escape_markup(scenario.file),
                        escape_markup(scenario_text));
  }
  body += "</main>\n";
  return html_page(fmt::format("{}: {}", scenario.name, judge::name(run.explanation.invariant)),
                   body, true);
}

}  // namespace holdfast::report
