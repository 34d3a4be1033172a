// Another program, build or set of parameters beside the one that is shown, or
// the same on another machine or mapping, from a file of `forecast --json`:
// view.compare is its group, view.file the file, {name, forecast}; view.other
// its forecast (null: there is none).
"use strict";

const groupName = g => `${g.program} ${g.params} (${counted(g.runs, "run")}, build ${
  g.build_id.slice(0, 8)})`;

// The choice, but for the group that is shown.
function offerComparison(groups) {
  const others = groups.filter(g => g.id !== view.group);
  if (!others.some(g => g.id === view.compare)) view.compare = "";
  const select = document.getElementById("compare");
  select.parentElement.hidden = view.all || !others.length;
  document.getElementById("compare-file").parentElement.hidden = view.all;
  document.getElementById("compare-or").textContent =
    others.length ? "or with" : "Compared with";
  write(select, `<option value="">nothing</option>` + others.map(
    g => `<option value="${g.id}"${g.id === view.compare ? " selected" : ""}>${
      escapeText(groupName(g))}</option>`).join(""));
}

// What it is called.
function otherName(state) {
  if (view.file) return view.file.name;
  return groupName(state.groups.find(g => g.id === view.compare));
}

// Other builds of the program that is shown, newest first: the usual question.
function otherBuilds(state) {
  const own = state?.groups.find(g => g.id === view.group);
  return !own ? [] : state.groups.filter(g => g.id !== own.id &&
    g.program === own.program && g.params === own.params).slice(0, 3);
}

// Seconds of the one shown against the other's, at each of their own rank counts
// that both have.
function timesOf(own, other) {
  return own.flatMap(a => {
    const b = other.find(p => p.ranks === a.ranks);
    return b && b.seconds > 0 ? [{ranks: a.ranks, times: a.seconds / b.seconds}]
      : [];
  });
}

// How much longer the one shown takes, measured and forecast.
function comparedTimes() {
  const said = v => v.toPrecision(3);
  const measured = timesOf(view.forecast.sizes, view.other.sizes);
  const mean = Math.exp(measured.reduce((sum, m) => sum + Math.log(m.times), 0) /
    measured.length);
  const known = f => f.points.filter(p => !p.refused);
  const last = timesOf(known(view.forecast), known(view.other)).at(-1);
  const parts = [
    measured.length ? `measured at the same ${counted(measured.length, "size")
      }, the one shown takes ${said(mean)} times as long (${measured.map(m =>
      `${said(m.times)} on ${m.ranks}`).join(", ")} ranks)`
      : "no size was measured of both",
    ...(last ? [`forecast at ${last.ranks} ranks, ${said(last.times)} times`]
      : [])];
  return parts.join("; ");
}

// What the other scales to, under the verdict; or what to compare with.
function otherVerdict(state) {
  const asked = !view.other && state?.groups.find(g => g.id === view.compare);
  if (asked) {
    return `<p id="other-asked">Compared with ${escapeText(groupName(asked))}: ${
      listedVerdict(asked.id)} Its forecast is being asked for.</p>`;
  }
  if (!view.other) {
    const builds = otherBuilds(state);
    return !builds.length ? "" : `<p id="other-builds">${builds.map(g =>
      `<button data-compare="${g.id}">Compare with build ${
        escapeText(g.build_id.slice(0, 8))}, ${counted(g.runs, "run")}</button>`)
      .join(" ")}</p>`;
  }
  const {network, verdict} = view.other;
  return `<p id="other-verdict">Compared with ${escapeText(otherName(state))}${
    network ? `, on the network ${escapeText(network)}` : ""}: ${
    escapeText(verdict.text)}. <b>${sentence(comparedTimes())}</b></p>`;
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

// What is not made by `forecast --json` would fail anywhere.
function readForecast(text) {
  const f = JSON.parse(text);
  const isRow = r => Number.isFinite(r.ranks) && Number.isFinite(r.seconds);
  const isLaw = m => [m.a, m.b, m.power, m.log_power].every(Number.isFinite);
  const is = typeof f.verdict.text === "string" && f.sizes.every(isRow) &&
    f.points.every(p => isRow(p) && Number.isFinite(p.low) &&
                   Number.isFinite(p.high)) &&
    f.sites.every(s => isLaw(s.compute) && isLaw(s.in_call));
  if (!is) throw new Error("no forecast");
  return f;
}

async function compareFile(file) {
  view.notice = null;
  try {
    const forecast = readForecast(await file.text());
    choose({file: {name: file.name, forecast}, other: forecast, compare: ""});
    document.getElementById("compare").value = "";
    draw();
    // What is being asked for knows of no file.
    if (!embedded) refresh(true);
  } catch {
    view.notice = `${file.name} is not what \`ranksight forecast --json\` prints`;
    document.getElementById("status").textContent = view.notice;
  }
}

function compareGroup(compare) {
  choose({compare, other: null, file: null, notice: null});
  document.getElementById("compare-file").value = "";
  const said = document.getElementById("other");
  if (said) said.innerHTML = otherVerdict(view.state);
  // Of what is shown alone nothing has to be asked for again.
  if (compare && view.forecast) refreshOther();
  else refresh(true);
}

document.addEventListener("click", e => {
  if (e.target.dataset?.compare) compareGroup(e.target.dataset.compare);
});
document.addEventListener("change", e => {
  if (e.target.id === "compare") compareGroup(e.target.value);
  if (e.target.id === "compare-file" && e.target.files.length) {
    compareFile(e.target.files[0]);
  }
});
