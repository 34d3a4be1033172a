// The page: asks the side-car twice a second whether anything changed, and
// draws it. A report (from `ranksight study`) carries its answers with it.
"use strict";

const embedded = window.ranksightReport || null;
const token = new URLSearchParams(location.hash.slice(1)).get("token") ||
  sessionStorage.getItem("ranksight-token") || "";
const view = {version: 0, group: "", state: null, forecast: null,
              matrix: null, laws: null, lawsRuns: null,
              mode: "time", ranks: 0, site: "", tree: false, filter: "",
              folds: new Map(),
              all: false, overview: null, search: "",
              compare: "", other: null};

// What is looked at stands in the address, to be shared; the token does not
// leave this page.
function readAddress() {
  const shared = new URLSearchParams(location.hash.slice(1));
  const show = shared.get("show");
  Object.assign(view, {
    mode: Object.hasOwn(modes, show) ? show : "time",
    group: shared.get("group") || "",
    all: shared.has("programs") && !shared.has("group"),
    search: shared.get("search") || "", site: shared.get("site") || "",
    compare: shared.get("compare") || "",
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
  }
  history.replaceState(null, "", "#" + what);
}

async function ask(what) {
  const answer = await fetch(what, {
    headers: {Authorization: "Bearer " + token}});
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(answer.status === 401
    ? "open the address that `ranksight serve` printed: it carries the token"
    : (await answer.text()).trim());
  return answer.json();
}

// A call site as it is read, where that is known; module and offset beside it.
function siteCell(site) {
  const known = (view.forecast.names || {})[site];
  const text = known ? known.text : site;
  const shown = text.length > 60 ? text.slice(0, 57) + "..." : text;
  return `<code title="${escapeText(text)}\n${escapeText(site)}">${
    escapeText(shown)}</code>`;
}

function tiles(forecast) {
  const last = forecast.sizes[forecast.sizes.length - 1];
  if (!last) return "";
  const out = [[`${last.ranks} ranks, measured`, seconds(last.seconds),
                counted(last.runs, "run")]];
  const known = forecast.points.filter(p => !p.refused && p.ranks > last.ranks);
  for (const factor of [4, 16, 64]) {
    const off = p => Math.abs(Math.log(p.ranks / (factor * last.ranks)));
    const p = known.reduce((best, q) => off(q) < off(best) ? q : best, known[0]);
    if (!p || off(p) > Math.log(2)) continue;
    out.push([`${p.ranks} ranks`, seconds(p.seconds),
              `${seconds(p.low)} to ${seconds(p.high)}`]);
  }
  if (forecast.next_run) {
    out.push(["next run to make", `${forecast.next_run.ranks} ranks`,
              escapeText(forecast.next_run.reason)]);
  }
  const d = forecast.drift;
  if (d) {
    out.push(["the same sizes take", `${d.factor.toPrecision(3)} times as long`,
              `since run ${escapeText(d.since_job)}; earlier runs count as if
              they did`]);
  }
  return '<div class="tiles">' + out.map(t => `<div class="tile"><span>${t[0]}
    </span><b>${t[1]}</b><span>${t[2]}</span></div>`).join("") + "</div>" +
    refusals(forecast) + bases(forecast);
}

// A line for all that is refused for one reason.
const refusals = forecast => forecast.refusals.map(r => `<p class="soft">${
  escapeText(r.text)} ranks refused: ${escapeText(r.reason)}</p>`).join("");

// How the times were found, each way once.
function bases(forecast) {
  const ranks = new Map();
  for (const p of forecast.points) {
    if (!p.basis) continue;
    if (!ranks.has(p.basis)) ranks.set(p.basis, []);
    ranks.get(p.basis).push(p.ranks);
  }
  const list = all => all.length > 4
    ? `${all[0]} to ${all[all.length - 1]} (${all.length} sizes)`
    : all.join(", ");
  const network = forecast.network
    ? `<p class="soft basis">times on a machine with a core for each rank and
      the network ${escapeText(forecast.network)}</p>` : "";
  const ways = [...ranks].map(([basis, all]) => `<p class="soft basis">at ${
    list(all)} ranks: ${escapeText(basis)}</p>`);
  return network + (ways.length > 2
    ? `<details data-fold="ways"${view.folds.get("ways") ? " open" : ""}>
      <summary>How the times were found</summary>${ways.join("")}</details>`
    : ways.join(""));
}

function growing(forecast) {
  if (!forecast.growing.length) {
    return '<p class="soft">no call site grows as far as is forecast</p>';
  }
  return tableOf(forecast.growing, [
    ["call", g => escapeText(g.call)],
    ["share now", g => percent(g.share_now), true],
    ["share then", g => percent(g.share_then), true],
    ["as a bar", g => `<span class="bar" style="width:${Math.round(
      90 * g.share_then)}px"></span>`],
    ["seconds a rank", g => `<code>${escapeText(g.model.text)}</code>`],
    ["call site", g => siteCell(g.site)]]);
}

// What takes most time from which rank count on.
function dominant(forecast) {
  return (forecast.dominant || []).map(d => `<p class="soft">from ${
    d.from_ranks} ${d.from_ranks === 1 ? "rank" : "ranks"} most time is ${
    d.part === "in the call" ? "in" : "computation before"} ${escapeText(d.call)}, ${
    percent(d.share)}, at ${siteCell(d.site)}</p>`).join("");
}

// Efficiencies of the POP model, and which of them falls first.
function efficiencies(forecast) {
  const all = [...(forecast.efficiencies || [])].sort(
    (a, b) => a.ranks - b.ranks);
  if (!all.length) return "";
  const limit = forecast.first_limit;
  const said = !limit ? "" : `<p class="soft">what stops it first: ${
    limit.is_reached
      ? `${escapeText(limit.factor)}, ${percent(limit.efficiency)} from about ${
        limit.ranks} ranks on`
      : `nothing up to ${limit.ranks} ranks; lowest is ${
        escapeText(limit.factor)}, ${percent(limit.efficiency)}`}</p>`;
  return tableOf(all, [
    ["ranks", e => e.ranks, true],
    ["kind", e => e.measured ? "measured" : "forecast"],
    ["global", e => percent(e.global), true],
    ["load balance", e => percent(e.load_balance), true],
    ["serialisation", e => percent(e.serialisation), true],
    ["transfer", e => percent(e.transfer), true],
    ["computation", e => percent(e.computation), true]]) + said;
}

// Which of time, speed-up, efficiency and cost is drawn, and what to take away.
const chartBar = () => '<div class="bar-of" role="group" aria-label="show">' +
  Object.entries(modes).map(([key, mode]) => `<button data-mode="${key}"
    aria-pressed="${key === view.mode}">${mode.title}</button>`).join("") +
  `<span class="grow"></span>${["SVG", "PNG", "CSV"].map(kind =>
    `<button data-save="${kind}">${kind}</button>`).join("")}</div>
  <div id="chart-time"></div>`;

// What is expected of a run that goes on, by what has been seen of it.
function expected(run, forecast) {
  const own = forecast && forecast.under_way.find(u => u.job === run.job);
  if (!own || run.state === "stored") return ["", ""];
  return own.used
    ? [percent(own.share_seen), `${seconds(own.seconds)}, provisional`]
    : ["", escapeText(own.reason)];
}

function live(state, forecast) {
  if (!state.live.length) {
    return '<p class="soft">no program is connected</p>';
  }
  const ago = ms => `${Math.max(0, (Date.now() - ms) / 1000).toFixed(0)} s`;
  return tableOf(state.live, [
    ["state", r => `<span class="dot ${r.state}"></span>${r.state}`],
    ["program", r => escapeText(r.program)],
    ["ranks", r => r.ranks, true],
    ["segments", r => r.segments, true],
    ["received", r => bytes(r.bytes), true],
    ["seen", r => expected(r, forecast)[0], true],
    ["whole run expected", r => expected(r, forecast)[1]],
    ["heard", r => ago(r.heard_unix_ms) + " ago", true],
    ["from", r => escapeText(r.key || r.user)],
    ["job", r => `<code>${escapeText(r.job)}</code>`]]);
}

// A call site that a twin estimates, with 90 % intervals.
function estimateLine(e) {
  const number = (v, width) => `${Math.round(v)} ± ${Math.round(width)}`;
  const much = e.messages > 0
    ? `: ${number(e.messages, e.messages_width)} messages, ` +
      `${number(e.bytes, e.bytes_width)} bytes, ` +
      `${number(e.partners, e.partners_width)} pairs of ranks`
    : "";
  return `<div>estimated: <code>${escapeText(e.call)} at
    ${escapeText(e.site)}</code>${much}</div>`;
}

function lawList(laws) {
  if (!laws) return '<p class="soft">looking for laws</p>';
  if (laws.refused) {
    return `<p class="soft">${escapeText(laws.refused)}</p>` +
      (laws.estimates || []).map(estimateLine).join("");
  }
  return `<p class="soft">${laws.exact} parameters follow laws that give every
    value of every rank at every size measured${laws.held_out_ranks
    ? `; ${laws.held_out_ranks} ranks were held out and predicted` : ""}.</p>
    <div class="scroll" tabindex="0">${laws.laws.map(l =>
      `<div><code>${escapeText(l)}</code></div>`).join("")}</div>`;
}

// What a report says of itself.
const factList = ({facts}) => `<dl>${facts.map(([name, text]) =>
  `<div><dt>${escapeText(name)}</dt><dd>${escapeText(text)}</dd></div>`)
  .join("")}</dl>`;

const section = (kind, title, content) =>
  `<section class="${kind}"><h2>${title}</h2>${content}</section>`;

// What has the focus, by what stays of it when the page is drawn again.
function nameOfFocus() {
  const {activeElement: at} = document;
  if (!at || at === document.body) return null;
  if (at.id) return "#" + CSS.escape(at.id);
  const of = (element, name) => `[data-${name}=${
    CSS.escape(element.dataset[name]) || '""'}]`;
  if (at.localName === "summary" && at.parentElement.dataset.fold) {
    return of(at.parentElement, "fold") + " > summary";
  }
  const [name] = Object.keys(at.dataset);
  return name ? of(at, name) : null;
}

// A draw takes neither focus nor caret from who is at the keyboard.
function draw() {
  if (view.all) return drawOverview(view);
  const {state, forecast, matrix, laws} = view;
  const focus = nameOfFocus();
  const caret = document.activeElement?.type === "search"
    ? document.activeElement.selectionStart : null;
  let out = "";
  if (forecast) {
    out += `<p id="verdict">${escapeText(forecast.verdict.text)}.</p>`;
    out += otherVerdict(state);
    if (view.warning) out += `<p id="warning">${escapeText(view.warning)}.</p>`;
    out += section("wide", "Scaling", chartBar()) +
      section("narrow", "Forecast", tiles(forecast)) +
      section("", "Call sites", explore(forecast)) +
      section("wide", "Call sites that grow", growing(forecast) +
              dominant(forecast)) +
      section("narrow", "Where the time goes", '<div id="chart-share"></div>');
    const lost = efficiencies(forecast);
    if (lost) out += section("", "Efficiencies (POP model)", lost);
  }
  if (state) out += section("", "Programs connected now", live(state, forecast));
  if (matrix) {
    out += section("half", `Who sends to whom, ${matrix.ranks} ranks`,
                   '<div id="chart-matrix"></div>');
  }
  if (forecast) {
    out += section(matrix ? "half" : "", "Laws of the structure",
                   lawList(laws));
  }
  if (view.facts) out += section("", "How this report was made", factList(view));
  if (!forecast) out += section("", "Nothing measured yet",
    "<p>Record a program to this side-car:</p><code>ranksight record --to " +
    escapeText(state ? state.endpoint : "ENDPOINT") +
    " -- mpiexec -n 4 ./app</code>");
  document.getElementById("main").innerHTML = out;
  const again = focus && document.querySelector(focus);
  if (again) again.focus({preventScroll: true});
  if (again && caret !== null) again.setSelectionRange(caret, caret);
  drawCharts();
}

// Puts a chart where there is room for it, as wide as that is.
function put(id, make, instead) {
  const place = document.getElementById(id);
  if (!place) return;
  const chart = make(Math.max(300, place.clientWidth));
  if (chart) {
    place.replaceChildren(asPicture(chart));
  } else {
    place.innerHTML = instead;
  }
}

function drawCharts() {
  if (view.all) return;
  const {forecast, matrix} = view;
  if (forecast) {
    put("chart-time", width => scalingChart(forecast, view.mode, width),
        scalingTable(forecast));
    put("chart-share", width => shareChart(forecast, width),
        '<p class="soft">no forecast yet</p>');
    drawSite();
  }
  if (matrix) {
    put("chart-matrix", width => matrixChart(matrix, width),
        '<p class="soft">`ranksight matrix` lists it</p>');
  }
}

// The values of the chart, where there is none.
const scalingTable = forecast => tableOf(scalingRows(forecast, view.mode), [
  ["kind", r => r.kind], ["ranks", r => r.ranks, true],
  [modes[view.mode].title, r => modes[view.mode].show(r.value), true],
  ["from", r => modes[view.mode].show(r.low), true],
  ["to", r => modes[view.mode].show(r.high), true]]);

function drawSite() {
  const {forecast} = view;
  const chosen = forecast.sites.find(s => siteId(s) === view.site);
  put("site-chart", width => chosen
    ? siteChart(forecast, chosen, chosenRanks(forecast), width) : null, "");
}

// The group that is shown; without one that is chosen all are listed, or the
// only one is shown.
function chooseGroup(groups) {
  const select = document.getElementById("group");
  if (!groups.some(g => g.id === view.group)) view.group = "";
  if (!view.group && groups.length > 1) view.all = true;
  if (!view.group && !view.all && groups.length) view.group = groups[0].id;
  document.getElementById("all").hidden = view.all;
  select.parentElement.hidden = view.all;
  select.innerHTML = groups.map(g => `<option value="${g.id}"${
    g.id === view.group ? " selected" : ""}>${escapeText(groupName(g))}</option>`)
    .join("");
  offerComparison(groups);
  return groups.find(g => g.id === view.group);
}

// Slow answers come after the others and only when their runs changed.
async function refreshRest(group) {
  const of = group && group.id + group.runs;
  if (!group || view.lawsRuns === of) return;
  view.lawsRuns = of;
  const over = () => view.lawsRuns !== of;  // others are asked for meanwhile
  const {runs} = await ask("api/runs?group=" + group.id);
  const largest = runs.filter(r => r.complete).reduce(
    (a, b) => a && a.ranks >= b.ranks ? a : b, null);
  const quiet = what => ask(what).catch(e => ({refused: e.message}));
  if (largest) {
    const m = await quiet("api/matrix?job=" + encodeURIComponent(largest.job));
    if (over()) return;
    view.matrix = m.refused ? null : m;
    draw();
  }
  const laws = await quiet("api/laws?group=" + group.id);
  if (over()) return;
  view.laws = laws;
  draw();
}

// A state is shown with its forecast, or asked for again. One asks at a time;
// who chooses another group does not wait for it.
async function refresh(force) {
  if (view.asking && !force) return;
  const mine = view.asking = {};
  const status = document.getElementById("status");
  try {
    const state = await ask("api/state" +
      (force ? "" : "?since=" + view.version));
    if (view.asking !== mine) return;
    if (state) {
      const group = chooseGroup(state.groups);
      const forecast = group
        ? await ask("api/forecast?group=" + group.id) : null;
      const other = group && view.compare
        ? await ask("api/forecast?group=" + view.compare) : null;
      const overview = view.all && (await ask("api/overview" + (view.overview
        ? "?since=" + view.overview.stamp : "")) || view.overview);
      if (view.asking !== mine) return;
      Object.assign(view, {state, forecast, other, overview,
                           version: state.version});
      draw();
      refreshRest(group).catch(() => {});
    }
    const c = view.state.counters;
    const stored = view.state.groups.reduce((sum, g) => sum + g.runs, 0);
    status.textContent = `live: ${counted(stored, "run")} stored; since the start ${
      counted(c.segments, "segment")}, ${
      counted(c.frames_refused, "frame")} refused`;
  } catch (e) {
    status.textContent = e.message;
  } finally {
    if (view.asking === mine) view.asking = null;
  }
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
    drawCharts();
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
  draw();
} else {
  sessionStorage.setItem("ranksight-token", token);
  document.getElementById("all").href = "#programs=all";
  document.getElementById("group").addEventListener("change", e => {
    location.hash = "group=" + e.target.value;
  });
  document.getElementById("compare").addEventListener("change", e => {
    choose({compare: e.target.value, other: null});
    refresh(true);
  });
  // A program that was chosen, or the way back.
  addEventListener("hashchange", () => {
    readAddress();
    view.forecast = view.matrix = view.laws = view.lawsRuns = null;
    view.other = null;
    refresh(true);
  });
  refresh(true);
  setInterval(refresh, 500);
}
