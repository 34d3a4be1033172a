// The page: asks the side-car twice a second whether anything changed, and
// draws it. A report (from `ranksight study`) carries its answers with it.
"use strict";

const embedded = window.ranksightReport || null;
const token = new URLSearchParams(location.hash.slice(1)).get("token") ||
  sessionStorage.getItem("ranksight-token") || "";
const view = {version: 0, group: "", state: null, forecast: null,
              matrix: null, timeline: null, load: null, laws: null,
              lawsRuns: null, zoom: null, asTable: false,
              loadKind: "compute", loadTable: false,
              mode: "time", ranks: 0, site: "", tree: false, filter: "",
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
  }
  history.replaceState(null, "", "#" + what);
}

const draw = () => unlessHeld(
  () => view.all ? drawOverview(view) : keeping(drawProgram));

// What stands on the page of a program, as `arrange` takes it.
function programParts() {
  const {state, forecast, matrix, timeline, load, laws} = view;
  const parts = [];
  // name: of the part, where its title changes with the data.
  const add = (kind, title, content, name = title) => parts.push(
    [name, "section", kind, `<h2>${title}</h2>${content}`]);
  if (forecast) {
    parts.push(["verdict", "div", "line", verdictLine(forecast)],
               ["other", "div", "line", otherVerdict(state)],
               ["warning", "div", "line", warningLine()]);
    add("wide", "Scaling", chartBar());
    add("narrow", "Forecast", tiles(forecast));
    add("", "Call sites", explore(forecast));
    add("wide", "Call sites that grow", growing(forecast) + dominant(forecast));
    add("narrow", "Where the time goes", '<div id="chart-share"></div>');
    const lost = efficiencies(forecast);
    if (lost) add("", "Efficiencies (POP model)", lost);
  }
  if (state) add("", "Programs connected now", live(state, forecast));
  if (timeline) {
    add("", `One iteration, ${counted(timeline.ranks, "rank")}`,
        timelineSection(timeline), "timeline");
  }
  if (load) {
    add("half", `What each rank does, ${counted(load.ranks, "rank")}`,
        loadSection(load), "load");
  }
  if (matrix) {
    add("half", `Who sends to whom, ${matrix.ranks} ranks`,
        heaviest(matrix) + '<div id="chart-matrix"></div>', "matrix");
  }
  if (forecast) add("", "Laws of the structure", lawList(laws));
  if (view.facts) add("", "How this report was made", factList(view));
  if (!forecast) add("", "Nothing measured yet",
    "<p>Record a program to this side-car:</p><code>ranksight record --to " +
    escapeText(state ? state.endpoint : "ENDPOINT") +
    " -- mpiexec -n 4 ./app</code>");
  return parts;
}

function drawProgram() {
  arrange(document.getElementById("main"), programParts());
  drawCharts();
}

function drawCharts() {
  if (view.all) return;
  const {forecast, matrix} = view;
  const charts = [];
  if (forecast) {
    charts.push(
      scalingPlace(), ["chart-share", [forecast],
                       width => shareChart(forecast, width),
                       () => '<p class="soft">no forecast yet</p>'],
      sitePlace());
    sayDoubled();
  }
  if (matrix) {
    charts.push(["chart-matrix", [matrix], width => matrixChart(matrix, width),
                 () => '<p class="soft">`ranksight matrix` lists it</p>']);
  }
  put(...charts, ...timelinePlaces(), ...loadPlace());
}

// A chart and its place, as `put` takes it.
const scalingPlace = () => [
  "chart-time", [view.forecast, view.mode, view.other],
  width => scalingChart(view.forecast, view.mode, width),
  () => scalingTable(view.forecast)];

const drawScaling = () => put(scalingPlace());

// The values of the chart, where there is none.
const scalingTable = forecast => tableOf(scalingRows(forecast, view.mode), [
  ["kind", r => r.kind], ["ranks", r => r.ranks, true],
  [modes[view.mode].title, r => modes[view.mode].show(r.value), true],
  ["from", r => modes[view.mode].show(r.low), true],
  ["to", r => modes[view.mode].show(r.high), true]]);

const chosenSite = () => view.forecast.sites.find(
  s => siteId(s) === view.site);

function sitePlace() {
  const {forecast} = view;
  const site = chosenSite(), ranks = chosenRanks(forecast);
  return ["site-chart", [forecast, site, ranks],
          width => site ? siteChart(forecast, site, ranks, width) : null,
          () => ""];
}

function sayDoubled() {
  const site = chosenSite(), place = document.getElementById("site-doubled");
  const text = site ? doubledText(view.forecast, site) : "";
  if (place && place.textContent !== text) place.textContent = text;
}

function drawSite() {
  put(sitePlace());
  sayDoubled();
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
    view.forecast = view.matrix = view.laws = view.lawsRuns = view.notice = null;
    view.timeline = view.load = null;
    answered.clear();
    view.other = view.file = null;
    refresh(true);
  });
  refresh(true);
  setInterval(refresh, 500);
}
