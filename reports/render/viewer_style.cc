#include "reports/render/viewer.h"

namespace holdfast::report {
namespace {

// Client colours after Okabe and Ito, told apart with every common colour vision; what matters is
// also hatched, outlined or labelled, never told by colour alone.
constexpr std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #59636e; --rule: #d5dae0; --wash: #f4f6f8;
  --alarm: #b3122a; --alarm-wash: #b3122a26; --alarm-ink: #ffffff; --truth: #2f3943;
  --link: #0b5cad; --mark: #fff3bf;
  --c0: #8a929b; --c1: #0072b2; --c2: #e69f00; --c3: #009e73; --c4: #cc79a7; --c5: #56b4e9;
  --c6: #7b5ea7;
  --t0: #111; --t1: #fff; --t2: #111; --t3: #111; --t4: #111; --t5: #111; --t6: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e8ebee; --soft: #a3adb8; --rule: #343c45; --wash: #1d232a;
    --alarm: #ff6b76; --alarm-wash: #ff6b762e; --alarm-ink: #1b0508; --truth: #c9d1d9;
    --link: #7cb8ff; --mark: #4a4215;
    --c1: #4aa8e0; --c3: #2fc79b; --c4: #de98bf; --c6: #a58bd0; --t1: #111; --t6: #111;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 18px 22px 60px; }
a { color: var(--link); }
code, pre, .time { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
code { font-size: 0.92em; overflow-wrap: anywhere; }
.over { margin: 0 0 6px; color: var(--soft); font-size: 13px; }
.over b { color: var(--alarm); letter-spacing: 0.06em; }
h1 { margin: 0 0 14px; font-size: 24px; line-height: 1.3; font-weight: 650; text-wrap: pretty; }
h2 { margin: 30px 0 8px; font-size: 17px; }
.first { display: grid; grid-template-columns: minmax(300px, 5fr) 7fr; gap: 10px 34px; }
@media (max-width: 860px) { .first { grid-template-columns: 1fr; } }
.facts { margin: 0; }
.facts dt { color: var(--soft); font-size: 12.5px; margin-top: 9px; }
.facts dt:first-child { margin-top: 0; }
.facts dd { margin: 0; }
.facts .blame { font-weight: 650; color: var(--alarm); }
.facts .command { display: block; background: var(--wash); border: 1px solid var(--rule);
  border-radius: 5px; padding: 6px 9px; user-select: all; }
.first h2 { margin: 0 0 6px; font-size: 12.5px; font-weight: 400; color: var(--soft); }
.causes { list-style: none; margin: 0; padding: 0; }
.causes li { display: grid; grid-template-columns: 24px 84px 1fr; gap: 0 10px; padding: 3px 0;
  align-items: baseline; }
.causes .number { display: inline-block; width: 21px; height: 21px; line-height: 21px;
  text-align: center; border-radius: 50%; background: var(--ink); color: var(--paper);
  font-size: 12px; font-weight: 650; }
.causes .time { font-size: 13px; text-align: right; white-space: nowrap; }
.causes li.last .number { background: var(--alarm); color: var(--alarm-ink); }
.causes li:target, tr:target td { background: var(--mark); }
figure { margin: 20px 0 0; overflow-x: auto; }
.legend { display: flex; flex-wrap: wrap; gap: 3px 20px; margin: 6px 0 0; font-size: 12.5px;
  color: var(--soft); }
.legend svg { width: 34px; height: 12px; vertical-align: -1px; margin-right: 5px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; font-weight: 650; border-bottom: 2px solid var(--rule);
  padding: 4px 10px 4px 0;
  position: sticky; top: 0; background: var(--paper); }
td { border-bottom: 1px solid var(--rule); padding: 3px 10px 3px 0; vertical-align: top;
  overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.mark { white-space: nowrap; overflow-wrap: normal; }
td.when { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: 12.5px;
  white-space: nowrap; text-align: right; }
tr.is-cause td { background: var(--wash); font-weight: 600; }
.bad { color: var(--alarm); font-weight: 650; }
.quiet { color: var(--soft); }
.table { overflow-x: auto; }
#filter { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; margin: 6px 0 8px;
  font-size: 13.5px; }
#filter[hidden] { display: none; }
#filter input[type=search] { min-width: 260px; }
#filter input, #filter select { font: inherit; padding: 3px 7px; color: inherit;
  background: var(--wash); border: 1px solid var(--rule); border-radius: 5px; }
pre { background: var(--wash); border: 1px solid var(--rule); border-radius: 5px;
  padding: 10px 12px;
  overflow-x: auto; font-size: 12.5px; line-height: 1.4; }
summary { cursor: pointer; font-size: 17px; font-weight: 650; margin: 26px 0 8px; }
.picture { display: block; width: 100%; min-width: 900px; height: auto;
  font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.picture text { fill: var(--ink); }
.picture a { cursor: pointer; text-decoration: none; }
.picture text { pointer-events: none; }
.c0 { --c: var(--c0); --t: var(--t0); } .c1 { --c: var(--c1); --t: var(--t1); }
.c2 { --c: var(--c2); --t: var(--t2); } .c3 { --c: var(--c3); --t: var(--t3); }
.c4 { --c: var(--c4); --t: var(--t4); } .c5 { --c: var(--c5); --t: var(--t5); }
.c6 { --c: var(--c6); --t: var(--t6); }
.swatch, .section { fill: var(--c); }
.promise { fill: var(--c); fill-opacity: 0.45; stroke: var(--c); }
.backed { fill: var(--truth); }
.waiting { fill: none; stroke: var(--c); stroke-dasharray: 3 3; }
.key { fill: var(--c); fill-opacity: 0.75; }
.stopped { fill: url(#hatch); stroke: var(--soft); }
.down { fill: url(#hatch-dead); stroke: var(--soft); }
.hatch-line { fill: var(--soft); fill-opacity: 0.55; }
.hatch-red-line { fill: var(--alarm); fill-opacity: 0.35; }
.cut-link { fill: none; stroke: var(--soft); stroke-dasharray: 2 2; }
.fault-bar { fill: var(--soft); fill-opacity: 0.35; }
.grid, .lane { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--ink); stroke-width: 1; }
.scale { stroke: var(--ink); stroke-width: 1.5; }
.break { fill: var(--paper); stroke: var(--soft); stroke-dasharray: 1.5 1.5; }
.cause { fill: var(--ink); }
.cause-line { stroke: var(--soft); stroke-dasharray: 1 3; }
.overlap { fill: var(--alarm-wash); stroke: var(--alarm); stroke-width: 2; }
.overlap-lane { fill: url(#hatch-red); pointer-events: none; }
.overlap { pointer-events: stroke; }
.overlap-leader { stroke: var(--alarm); stroke-width: 2; }
.overlap-pill { fill: var(--alarm); }
.access { fill: var(--c); stroke: var(--paper); }
.access.read, .access-refused { fill: var(--paper); stroke: var(--c); stroke-width: 2; }
.refusal, .cross { stroke: var(--alarm); stroke-width: 2.5; fill: none; }
.request { stroke: var(--c); stroke-width: 1.3; }
.sign { fill: var(--ink); }
.flag { fill: var(--ink); stroke: var(--ink); }
.picture .tick, .picture .row-note, .picture .lane-note, .picture .break-label, .picture .note {
  fill: var(--soft); font-size: 11.5px; }
.picture .lane-title { font-size: 14.5px; font-weight: 650; }
.picture .bar-label { fill: var(--t); font-weight: 600; }
.picture .access-label { fill: var(--t); font-weight: 650; }
.picture .access-note { font-weight: 650; }
.picture .cause-number { fill: var(--paper); font-weight: 650; }
.picture .overlap-label { fill: var(--alarm-ink); font-weight: 650; }
.picture .cross-label { fill: var(--alarm); font-weight: 650; }
.picture .sign-label, .picture .flag-label { font-weight: 650; }
.picture .waiting-label, .picture .state-label, .picture .key-label, .picture .lane-note,
.picture .sign-label, .picture .cross-label, .picture .flag-label {
  paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb;
    --wash: #f2f2f2; --alarm: #b3122a; --alarm-wash: #b3122a26; --alarm-ink: #fff; --truth: #222;
    --link: #000; --mark: #fff; --c1: #0072b2; --c3: #009e73; --c4: #cc79a7; --c6: #7b5ea7;
    --t1: #fff; --t6: #fff; }
  @page { size: A4 landscape; margin: 12mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  #filter { display: none; }
  .picture { min-width: 0; }
  figure, .causes li, tr { break-inside: avoid; }
  th { position: static; }
}
)css";

}  // namespace

std::string_view viewer_style() { return kStyle; }

}  // namespace holdfast::report
