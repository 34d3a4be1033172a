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

// A verdict as the list has it.
const verdictText = p => `${escapeText(p.verdict)}.${
  p.by_laws ? ' <span class="soft">(by laws)</span>' : ""}`;

const listed = group => view.overview?.programs.find(p => p.id === group);

const listedVerdict = group => listed(group) ? verdictText(listed(group)) : "";

// What the list says of a program that is opened, until its forecast is there.
function preview(group) {
  const p = listed(group.id);
  return [...(p ? [`<p id="verdict">${verdictText(p)}</p>`] : []),
    section("", escapeText(groupName(group)),
            '<p class="soft">Its forecast is being asked for.</p>' +
            (p ? tableOf(p.sizes, [["ranks", s => s[0], true],
                                   ["measured", s => seconds(s[1]), true]])
              : ""))];
}

function programRow(p, index, live) {
  const drift = p.drift ? `<span>the same sizes take ${
    p.drift.toPrecision(3)} times as long</span>` : "";
  return `<li data-index="${index}"><div class="small-chart"></div><div>
    <a href="#group=${p.id}">${escapeText(p.program)} ${escapeText(p.params)}</a>
    <p>${verdictText(p)}</p></div>
    <div class="soft"><span>last run ${dateText(p.last_unix_ms)}, ${
    counted(p.last_ranks, "rank")}${p.last_launch
    ? ", " + escapeText(p.last_launch) : ""}${p.last_from
    ? ", from " + escapeText(p.last_from) : ""}</span>
    <span>${rangeText(p)}, build ${escapeText(p.build_id.slice(0, 8))}</span>
    ${drift}${runningText(p, live)}</div></li>`;
}

const overviewFrame = search => `<section><h2>Programs</h2>
  <div class="bar-of"><label>Search <input id="search" type="search" value="${
  escapeText(search)}"></label><span id="found" class="soft" role="status"></span>
  </div><p class="soft">By laws: what calls take is added up; the trace is walked
  when the program is opened.</p><ul id="programs"></ul></section>`;

// Those that are found, in the place of the list, and how many.
function showFound(programs, search) {
  let shown = 0;
  for (const row of document.querySelectorAll("#programs > li")) {
    row.hidden = !isFound(programs[row.dataset.index], search);
    shown += !row.hidden;
  }
  document.getElementById("found").textContent = shown === programs.length
    ? counted(shown, "program")
    : `${shown} of ${counted(programs.length, "program")}`;
}

// Of programs as an answer had them: who comes back to the list finds them drawn.
const smallCharts = new WeakMap();

function drawSmallChart(row, p) {
  const place = row.querySelector(".small-chart");
  if (!smallCharts.has(p)) smallCharts.set(p, smallChart(p));
  const chart = smallCharts.get(p);
  if (chart) place.replaceChildren(chart);
  else place.textContent = p.sizes.map(
    ([ranks, s]) => `${ranks}: ${seconds(s)}`).join(", ");
}

// One at a time: who clicks does not wait for a screenful.
function drawSmallCharts(programs) {
  const seen = [];
  const drawNext = () => {
    const row = seen.shift();
    drawSmallChart(row, programs[row.dataset.index]);
    if (seen.length) whenIdle(drawNext);
  };
  const watch = new IntersectionObserver(rows => {
    for (const {target, isIntersecting} of rows) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      if (!seen.length) whenIdle(drawNext);
      seen.push(target);
    }
  }, {rootMargin: "300px"});
  for (const row of document.querySelectorAll("#programs > li")) {
    watch.observe(row);
  }
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
  document.getElementById("programs").innerHTML = programs.map(
    (p, i) => programRow(p, i, view.state.live)).join("");
  for (const a of document.querySelectorAll("#programs a")) {
    if (a.hash === focused) a.focus();
  }
  showFound(programs, view.search);
  view.watch = drawSmallCharts(programs);
}
