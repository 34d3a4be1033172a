// Another program, build or set of parameters beside the one that is shown:
// view.compare is its group, view.other its forecast (null: there is none).
"use strict";

const groupName = g => `${g.program} ${g.params} (${counted(g.runs, "run")}, build ${
  g.build_id.slice(0, 8)})`;

// The choice, but for the group that is shown.
function offerComparison(groups) {
  const others = groups.filter(g => g.id !== view.group);
  if (!others.some(g => g.id === view.compare)) view.compare = "";
  const select = document.getElementById("compare");
  select.parentElement.hidden = view.all || !others.length;
  select.innerHTML = `<option value="">nothing</option>` + others.map(
    g => `<option value="${g.id}"${g.id === view.compare ? " selected" : ""}>${
      escapeText(groupName(g))}</option>`).join("");
}

// What the other scales to, under the verdict.
function otherVerdict(state) {
  if (!view.other) return "";
  const group = state.groups.find(g => g.id === view.compare);
  return `<p id="other-verdict">Compared with ${escapeText(groupName(group))}: ${
    escapeText(view.other.verdict.text)}.</p>`;
}

const kCompared = "compared, ";

// Its rows of a chart: times and costs as they are; speed-up and efficiency
// against its own smallest run.
const comparedRows = mode => !view.other || !view.other.sizes.length ? []
  : scalingRows(view.other, mode).filter(r => r.kind !== "refused").map(
    r => ({...r, kind: kCompared + r.kind}));

// A dashed line, and squares for circles.
function comparedMarks(rows, within) {
  const of = kind => rows.filter(r => r.kind === kCompared + kind);
  return [
    Plot.line(smoothed(of("forecast")), {x: "ranks", y: r => within(r.value),
      stroke: "var(--calls)", strokeWidth: 2, strokeDasharray: "7 4",
      ariaDescription: "compared forecast"}),
    Plot.dot(of("measured"), {x: "ranks", y: "value", symbol: "square", r: 4,
      fill: "var(--card)", stroke: "var(--calls)", strokeWidth: 2,
      ariaDescription: "compared measured"})];
}

// A call site is the other's where its call and its place read the same: by
// name, where that is known, as offsets differ between builds.
function siteKey(forecast, site) {
  const known = (forecast.names || {})[site.site];
  return site.call + " " + (known ? known.text : site.site);
}

function comparedColumn(ranks) {
  if (!view.other) return [];
  const there = new Map(view.other.sites.map(s => [siteKey(view.other, s),
    modelAt(s.compute, ranks) + modelAt(s.in_call, ranks)]));
  return [["seconds, compared", s => {
    const other = there.get(siteKey(view.forecast, s.site));
    return other === undefined ? "" : seconds(other);
  }, true]];
}
