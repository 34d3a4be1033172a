// The list of all programs of a store: what page.js shows while none is chosen.
// Charts are drawn as they come into sight.
"use strict";

const dateText = ms => {
  const date = new Date(ms);
  const two = n => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${
    two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

// All that is searched in a program.
const wordsOf = p => [p.program, p.params, p.build_id, p.last_launch, p.last_job,
                      p.last_from, p.verdict].join(" ").toLowerCase();

const isFound = (p, search) => search.toLowerCase().split(/\s+/).every(
  word => wordsOf(p).includes(word));

// Of a program that is running now, or nothing.
const runningText = (p, live) => {
  const runs = live.filter(r => r.state !== "stored" &&
    r.program === p.program && r.build_id === p.build_id &&
    r.params === p.params);
  return runs.length
    ? `<span><span class="dot receiving"></span>${counted(runs.length, "run")
      } under way</span>` : "";
};

const rangeText = p => `${counted(p.runs, "run")} on ${
  p.measured.length > 4 ? `${p.measured[0]} to ${p.measured.at(-1)}`
    : p.measured.join(", ")} ranks`;

function programRow(p, live) {
  const drift = p.drift ? `<span>the same sizes take ${
    p.drift.toPrecision(3)} times as long</span>` : "";
  const by = p.by_laws ? ' <span class="soft">(by laws)</span>' : "";
  return `<div class="small-chart"></div><div>
    <a href="#group=${p.id}">${escapeText(p.program)} ${escapeText(p.params)}</a>
    <p>${escapeText(p.verdict)}.${by}</p></div>
    <div class="soft"><span>last run ${dateText(p.last_unix_ms)}, ${
    counted(p.last_ranks, "rank")}${p.last_launch
    ? ", " + escapeText(p.last_launch) : ""}${p.last_from
    ? ", from " + escapeText(p.last_from) : ""}</span>
    <span>${rangeText(p)}, build ${escapeText(p.build_id.slice(0, 8))}</span>
    ${drift}${runningText(p, live)}</div>`;
}

const overviewFrame = search => `<section><h2>Programs</h2>
  <div class="bar-of"><label>Search <input id="search" type="search" value="${
  escapeText(search)}"></label><span id="found" class="soft" role="status"></span>
  </div><p class="soft">By laws: what calls take is added up; the trace is walked
  when the program is opened.</p><ul id="programs"></ul></section>`;

// Those that are found, in the place of the list, and how many.
function showFound(programs, search) {
  const found = new Set(
    programs.filter(p => isFound(p, search)).map(p => p.id));
  for (const row of document.querySelectorAll("#programs > li")) {
    row.hidden = !found.has(row.dataset.part);
  }
  document.getElementById("found").textContent = found.size === programs.length
    ? counted(found.size, "program")
    : `${found.size} of ${counted(programs.length, "program")}`;
}

function drawSmallChart(place, p, from) {
  drawnFrom.set(place, [from]);
  const chart = smallChart(p);
  if (chart) place.replaceChildren(chart);
  else place.textContent = p.sizes.map(
    ([ranks, s]) => `${ranks}: ${seconds(s)}`).join(", ");
}

// Those that are not drawn yet, as they come into sight.
function drawSmallCharts(programs) {
  const missing = new Map();  // by row
  for (const p of programs) {
    const row = document.querySelector(
      `#programs > li[data-part="${CSS.escape(p.id)}"]`);
    const place = row.querySelector(".small-chart");
    const from = JSON.stringify([p.program, p.sizes, p.points]);
    if (drawnFrom.get(place)?.[0] === from) continue;
    missing.set(row, () => drawSmallChart(place, p, from));
  }
  const watch = new IntersectionObserver(rows => {
    for (const {target, isIntersecting} of rows) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      missing.get(target)();
    }
  }, {rootMargin: "300px"});
  for (const row of missing.keys()) watch.observe(row);
  return watch;
}

// The search box stays as it is while somebody writes in it.
function drawOverview(view) {
  if (!document.getElementById("programs")) {
    document.getElementById("main").innerHTML = overviewFrame(view.search);
  }
  if (view.watch) view.watch.disconnect();
  const {programs} = view.overview;
  const focused = document.activeElement && document.activeElement.hash;
  arrange(document.getElementById("programs"), programs.map(
    p => [p.id, "li", "", programRow(p, view.state.live)]));
  for (const a of document.querySelectorAll("#programs a")) {
    if (a.hash === focused && a !== document.activeElement) a.focus();
  }
  showFound(programs, view.search);
  view.watch = drawSmallCharts(programs);
}
