#include "reports/render/viewer.h"

namespace holdfast::report {
namespace {

// Only hides and shows rows that are there; the page is complete without it.
constexpr std::string_view kScript = R"js(
(function () {
  "use strict";
  var form = document.getElementById("filter");
  var table = document.getElementById("events");
  if (!form || !table) return;
  var rows = Array.prototype.slice.call(table.tBodies[0].rows);
  var words = document.getElementById("filter-words");
  var who = document.getElementById("filter-who");
  var causes = document.getElementById("filter-causes");
  var count = document.getElementById("filter-count");
  function apply() {
    var wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      var fits = wanted.every(function (word) { return text.indexOf(word) >= 0; });
      if (who.value) {
        var names = " " + row.getAttribute("data-who") + " ";
        fits = fits && names.indexOf(" " + who.value + " ") >= 0;
      }
      if (causes.checked) fits = fits && row.classList.contains("is-cause");
      row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + " of " + rows.length;
  }
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1));
    var row = id && document.getElementById(id);
    if (!row) return;
    var around = row.closest("details");
    if (around) around.open = true;
    if (row.hidden) {
      words.value = "";
      who.value = "";
      causes.checked = false;
      apply();
    }
    row.scrollIntoView({ block: "center" });
  }
  form.hidden = false;
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", apply);
  window.addEventListener("hashchange", reveal);
  apply();
  if (location.hash) reveal();
})();
)js";

}  // namespace

std::string_view viewer_script() { return kScript; }

}  // namespace holdfast::report
