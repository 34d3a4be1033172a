// The page: asks the side-car twice a second whether anything changed, and
// draws it. A report (from `ranksight study`) carries its answers with it.
"use strict";

const embedded = window.ranksightReport || null;
const token = new URLSearchParams(location.hash.slice(1)).get("token") ||
  sessionStorage.getItem("ranksight-token") || "";
const view = {version: 0, group: "", state: null, forecast: null,
              matrix: null, timeline: null, load: null, laws: null,
              slow: null, zoom: null, asTable: false,
              loadKind: "compute", loadTable: false,
              mode: "time", ranks: 0, matrixRanks: 0, site: "", tree: false, filter: "",
              folds: new Map(),
              all: false, overview: null, search: "",
              compare: "", other: null, file: null, notice: null};

// What is looked at stands in the address, to be shared; the token does not
// leave this page.
function readAddress() {
  const shared = new URLSearchParams(location.hash.slice(1));
  const show = shared.get("show"), load = shared.get("load");
  const zoom = (shared.get("zoom") || "").split("-").map(Number);
  Object.assign(view, {
    mode: Object.hasOwn(modes, show) ? show : "time",
    group: shared.get("group") || "",
    all: shared.has("programs") && !shared.has("group"),
    search: shared.get("search") || "", site: shared.get("site") || "",
    compare: shared.get("compare") || "",
    matrixRanks: Number(shared.get("matrix")) || 0,
    zoom: zoom.length === 2 && zoom.every(isFinite) ? zoom : null,
    asTable: shared.has("calls"), loadTable: shared.has("ranks-as"),
    loadKind: Object.hasOwn(kLoadKinds, load) ? load : "compute",
    tree: shared.has("tree"), filter: shared.get("filter") || "",
    ranks: Number(shared.get("ranks")) || 0});
}

function share() {
  const what = new URLSearchParams();
  if (view.all) {
    what.set("programs", "all");
    if (view.search) what.set("search", view.search);
  } else {
    if (!embedded) what.set("group", view.group);
    if (view.compare) what.set("compare", view.compare);
    what.set("show", view.mode);
    if (view.ranks) what.set("ranks", view.ranks);
    if (view.site) what.set("site", view.site);
    if (view.tree) what.set("tree", "1");
    if (view.filter) what.set("filter", view.filter);
    if (view.zoom) what.set("zoom", view.zoom.map(Math.round).join("-"));
    if (view.asTable) what.set("calls", "table");
    if (view.loadKind !== "compute") what.set("load", view.loadKind);
    if (view.loadTable) what.set("ranks-as", "table");
    if (view.matrixRanks) what.set("matrix", view.matrixRanks);
  }
  history.replaceState(null, "", "#" + what);
}

const draw = () => unlessHeld(
  () => view.all ? drawOverview(view) : keeping(drawProgram));

function drawProgram() {
  writeParts(document.getElementById("main"), programParts());
  drawCharts();
}

// What stands below one another, HTML of an element each.
function programParts() {
  const {state, forecast, matrix, timeline, load, laws} = view;
  const opened = !forecast && state?.groups.find(g => g.id === view.group);
  const parts = opened ? preview(opened) : [];
  if (forecast) {
    parts.push(`<p id="verdict">${escapeText(forecast.verdict.text)}.</p>`);
    parts.push(`<div id="other">${otherVerdict(state)}</div>`);
    if (view.warning) {
      parts.push(`<p id="warning">${escapeText(view.warning)}.</p>`);
    }
    parts.push(section("wide", "Scaling", chartBar()),
               section("narrow", "Forecast", tiles(forecast)),
               section("", "Call sites", explore(forecast)),
               section("wide", "Call sites that grow", growing(forecast) +
                       dominant(forecast)),
               section("narrow", "Where the time goes",
                       '<div id="chart-share"></div>'));
    const lost = efficiencies(forecast);
    if (lost) parts.push(section("", "Efficiencies (POP model)", lost));
  }
  if (state) {
    parts.push(section("", "Programs connected now",
                       live(state, forecast) + noticeList(state)));
  }
  if (timeline) {
    parts.push(section("", `One iteration, ${counted(timeline.ranks, "rank")}`,
                       timelineSection(timeline)));
  }
  if (load) {
    parts.push(section("half",
                       `What each rank does, ${counted(load.ranks, "rank")}`,
                       loadSection(load)));
  }
  if (matrix) {
    parts.push(section("half", `Who sends to whom, ${
                       counted(matrix.ranks, "rank")}`, matrixSection(matrix)));
  }
  if (forecast) parts.push(section("", "Laws of the structure", lawList(laws)));
  if (view.facts) {
    parts.push(section("", "How this report was made", factList(view)));
  }
  if (!forecast && !opened) {
    parts.push(section("", "Nothing measured yet",
      "<p>Record a program to this side-car:</p><code>ranksight record --to " +
      escapeText(state ? state.endpoint : "ENDPOINT") +
      " -- mpiexec -n 4 ./app</code>"));
  }
  return parts;
}

// While all is drawn anew: words first, charts after the frame that shows them.
let isWholeDraw = false;

// Puts a chart where there is room for it, as wide as that is; from: all that it
// shows. One that shows it already stays.
function put(id, from, make, instead) {
  const place = document.getElementById(id);
  if (!place) return;
  const width = Math.max(300, place.clientWidth);
  const now = [width, ...from];
  if (isDrawnFrom(place, now)) {
    deferred.delete(id);  // of what it should have shown meanwhile
    return;
  }
  // A report is drawn once, and maybe printed by who waits for nothing.
  if (isWholeDraw && !embedded) {
    defer(id, () => put(id, from, make, instead));
    return;
  }
  deferred.delete(id);
  const chart = make(width);
  if (chart) {
    place.replaceChildren(asPicture(chart));
  } else {
    const top = place.querySelector(".scroll")?.scrollTop ?? 0;
    place.innerHTML = instead();
    scrollRows(place.querySelector(".scroll"), top);
  }
  sources.set(place, now);
  place.style.minHeight = "";
  heights.set(id, place.offsetHeight);
}

function drawCharts() {
  isWholeDraw = true;
  try {
    drawAllCharts();
  } finally {
    isWholeDraw = false;
  }
}

function drawAllCharts() {
  if (view.all) return;
  const {forecast, matrix} = view;
  if (forecast) {
    drawScaling();
    put("chart-share", [forecast.points], width => shareChart(forecast, width),
        () => '<p class="soft">no forecast yet</p>');
    drawSite();
  }
  if (matrix && !matrix.refused) {
    put("chart-matrix", [matrix], width => matrixChart(matrix, width),
        () => '<p class="soft">`ranksight matrix` lists it</p>');
  }
  drawTimeline();
  drawLoad();
}

// What the chart of a forecast shows of it.
const scalingSource = f => [f.sizes, f.points, f.under_way, f.verdict.scaling];

function drawScaling() {
  const {forecast, other, mode} = view;
  const from = [mode, ...scalingSource(forecast),
                ...(other ? scalingSource(other) : [])];
  put("chart-time", from,
      width => scalingChart(forecast, mode, width), () => scalingTable(forecast));
}

// The values of the chart, where there is none.
const scalingTable = forecast => tableOf(scalingRows(forecast, view.mode), [
  ["kind", r => r.kind], ["ranks", r => r.ranks, true],
  [modes[view.mode].title, r => modes[view.mode].show(r.value), true],
  ["from", r => modes[view.mode].show(r.low), true],
  ["to", r => modes[view.mode].show(r.high), true]]);

function drawSite() {
  const {forecast} = view;
  const {sites, sizes, points} = forecast, ranks = chosenRanks(forecast);
  const chosen = sites.find(s => siteId(s) === view.site);
  put("site-chart", [view.site, ranks, sites, sizes, points], width => chosen
    ? siteChart(forecast, chosen, ranks, width) : null, () => "");
  document.getElementById("site-doubled")?.replaceChildren(
    chosen ? doubledText(forecast, chosen) : "");
  const laws = document.getElementById("site-laws");
  if (laws) write(laws, chosen ? siteLaws(chosen) : "");
}

function choose(what) {
  Object.assign(view, what);
  share();
}

document.addEventListener("click", e => {
  const {mode, save, site, tree} = e.target.dataset || {};
  if (mode) {
    choose({mode});
    for (const b of document.querySelectorAll("[data-mode]")) {
      b.setAttribute("aria-pressed", b.dataset.mode === mode);
    }
    drawScaling();
  } else if (site) {
    choose({site: site === view.site ? "" : site});
    for (const b of document.querySelectorAll("[data-site]")) {
      b.setAttribute("aria-expanded", b.dataset.site === view.site);
    }
    drawSite();
  } else if (tree !== undefined) {
    choose({tree: tree !== ""});
    for (const b of document.querySelectorAll("[data-tree]")) {
      b.setAttribute("aria-pressed", b.dataset.tree === tree);
    }
    document.getElementById("explore").innerHTML = exploreRows(view.forecast);
  } else if (save) {
    drawIfDeferred("chart-time");
    const svg = document.querySelector("#chart-time svg");
    const name = `${view.forecast.program}-${view.mode}.${save.toLowerCase()}`;
    if (save === "CSV") {
      const rows = scalingRows(view.forecast, view.mode);
      download(name, csvOf(rows.concat(comparedRows(view.mode))), "text/csv");
    } else if (svg && save === "SVG") {
      download(name, standalone(svg), "image/svg+xml");
    } else if (svg) {
      downloadPng(svg, name);
    }
  }
});

document.addEventListener("input", e => {
  if (e.target.id === "search") {
    choose({search: e.target.value});
    showFound(view.overview.programs, view.search);
  } else if (e.target.id === "filter") {
    choose({filter: e.target.value});
    document.getElementById("explore").innerHTML = exploreRows(view.forecast);
  }
  if (e.target.id !== "ranks") return;
  const ranks = rankChoices(view.forecast)[e.target.value];
  choose({ranks});
  e.target.setAttribute("aria-valuetext", ranks + " ranks");
  document.getElementById("ranks-chosen").textContent = ranks;
  document.getElementById("explore").innerHTML = exploreRows(view.forecast);
  drawSite();
});

document.addEventListener("change", e => {
  if (e.target.id !== "matrix-ranks") return;
  choose({matrixRanks: Number(e.target.value)});
  document.getElementById("heaviest").textContent =
    `That on ${counted(view.matrixRanks, "rank")} is being asked for.`;
  refreshMatrix();
});

addEventListener("resize", () => {
  clearTimeout(view.resizing);
  view.resizing = setTimeout(drawCharts, 60);
});

readAddress();
if (embedded) {
  Object.assign(view, embedded, {all: false});
  document.getElementById("status").textContent = embedded.title;
  document.getElementById("compare-file").parentElement.hidden = false;
  draw();
} else {
  sessionStorage.setItem("ranksight-token", token);
  document.getElementById("all").href = "#programs=all";
  document.getElementById("group").addEventListener("change", e => {
    location.hash = "group=" + e.target.value;
  });
  // A program that was chosen, or the way back.
  addEventListener("hashchange", () => {
    readAddress();
    deferred.clear();  // of what was shown
    view.forecast = view.matrix = view.laws = view.slow = view.notice = null;
    view.timeline = view.load = null;
    view.other = view.file = null;
    // Words that are known are there at once, the rest when it is answered.
    const group = view.state && chooseGroup(view.state.groups);
    if (view.all ? view.overview : view.state) draw();
    if (group) refreshOpened(group);
    else refresh(true);
  });
  refresh(true);
  setInterval(refresh, 500);
}
