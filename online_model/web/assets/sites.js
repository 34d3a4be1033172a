// Call sites by what they take at a rank count, as a table or as the tree of
// their call paths. What is chosen is in `view` (page.js).
"use strict";

// Seconds at a rank count by a law.
const modelAt = (m, ranks) => Math.max(0,
  m.a + m.b * ranks ** m.power * Math.log2(ranks) ** m.log_power);

const mostRanks = forecast => Math.max(
  ...forecast.sizes.map(s => s.ranks),
  ...forecast.points.filter(p => !p.refused).map(p => p.ranks));

// Rank counts that can be chosen: measured, and forecast.
const rankChoices = forecast => [...new Set(
  forecast.sizes.concat(forecast.points.filter(p => !p.refused))
    .map(s => s.ranks))].sort((a, b) => a - b);

const chosenRanks = forecast => {
  const all = rankChoices(forecast);
  return all.includes(view.ranks) ? view.ranks : all[all.length - 1];
};

// Of the time in a call the share that is waiting, as in the largest run; 0 also
// where that is not known.
const waitingShare = site => site.over_ranks?.waiting_share ?? 0;
const knowsWaiting = sites => sites.some(
  s => s.over_ranks?.waiting_share !== undefined);

// Call sites by what they take of a rank's time at a rank count, most first.
function sitesAt(forecast, ranks) {
  const all = forecast.sites.map((site, index) => {
    const compute = modelAt(site.compute, ranks);
    const call = modelAt(site.in_call, ranks);
    const waiting = call * waitingShare(site);
    return {site, index, compute, call, waiting, seconds: compute + call};
  });
  const sum = all.reduce((total, s) => total + s.seconds, 0);
  for (const s of all) s.share = sum > 0 ? s.seconds / sum : 0;
  return all.sort((a, b) => b.seconds - a.seconds);
}

// A site by its call and place; both together are one in a program.
const siteId = site => site.call + " " + site.site;

// Frames from the outermost; without them those by which the site is known.
const pathOf = site => site.path || site.site.split(" < ").reverse();

// Whether all words are in the call or in a frame of its path.
function isSought(site, filter) {
  const text = [site.call, site.site, ...pathOf(site)].join(" ").toLowerCase();
  return filter.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

const siteButton = site => `<button class="site" data-site="${
  escapeText(siteId(site))}" aria-expanded="${siteId(site) === view.site}">${
  escapeText(site.call)}</button>`;

// Computation before calls, waiting in them and the rest, as parts of the whole
// time.
function siteBars(s) {
  const bar = (seconds, kind) => `<span class="bar ${kind}" style="width:${
    Math.round(90 * s.share * (seconds / s.seconds || 0))}px"></span>`;
  return bar(s.compute, "computing") + bar(s.waiting, "waiting") +
    bar(s.call - s.waiting, "calling");
}

const kPartNames = [["computing", "before"], ["waiting", "waiting"],
                    ["calling", "rest"]];
const barsHead = isSplit => isSplit ? kPartNames.map(([kind, name]) =>
  `<span class="key"><span class="bar ${kind}"></span>${name}</span>`).join(" ")
  : "before | in the call";

// What all rows take, by kind.
function partsText(rows) {
  const all = rows.reduce((sum, s) => sum + s.seconds, 0);
  const share = of => percent(
    rows.reduce((sum, s) => sum + of(s), 0) / all || 0);
  const rest = s => s.call - s.waiting;
  const calls = knowsWaiting(rows.map(s => s.site))
    ? [["waiting", s => s.waiting],
       ["transfer", s => s.site.collective ? 0 : rest(s)],
       ["collective calls", s => s.site.collective ? rest(s) : 0]]
    : [["transfer and waiting", s => s.site.collective ? 0 : s.call],
       ["collective calls", s => s.site.collective ? s.call : 0]];
  return [["computation", s => s.compute], ...calls].map(
    ([name, of]) => `${name} ${share(of)}`).join(", ");
}

const kSpreadKinds = [["compute", "--compute", "before it"],
                      ["in_call", "--calls", "in the call"]];

// How ranks of the largest run differ in one occurrence, computation above and
// call below: a line from the rank with the least to that with the most, a box of
// a standard deviation to both sides of the mean.
function spreadCell(site) {
  const over = site.over_ranks || {};
  const kinds = kSpreadKinds.filter(([kind]) => over[kind]);
  const most = Math.max(0, ...kinds.map(([kind]) => over[kind].most));
  if (!(most > 0)) return "";
  const x = value => (1 + 98 * value / most).toFixed(1);
  const drawn = kinds.map(([kind, color], row) => {
    const r = over[kind], y = 5 + 10 * row;
    const from = x(Math.max(r.least, r.mean - r.deviation));
    const to = x(Math.min(r.most, r.mean + r.deviation));
    return `<g style="stroke:var(${color});fill:var(${color})">
      <path d="M${x(r.least)} ${y}H${x(r.most)}M${x(r.least)} ${y - 3}v6M${
      x(r.most)} ${y - 3}v6"/><rect x="${from}" y="${y - 3}" width="${
      (to - from).toFixed(1)}" height="6" fill-opacity=".3"/><path d="M${
      x(r.mean)} ${y - 4}v8" stroke-width="2"/></g>`;
  });
  const text = kinds.map(([kind, , name]) => `${name} ${
    seconds(over[kind].least)} to ${seconds(over[kind].most)}, mean ${
    seconds(over[kind].mean)}`).join("; ");
  return `<svg class="spread" role="img" width="100" height="${
    10 * kinds.length}" aria-label="${text}"><title>${text}</title>${
    drawn.join("")}</svg>`;
}

// Where some site has one.
function spreadColumn(rows) {
  const known = rows.find(s => s.site.over_ranks);
  return known ? [[`before | in one call, over ${
    counted(known.site.over_ranks.ranks, "rank")}`,
                   s => spreadCell(s.site)]] : [];
}

const siteTable = (rows, ranks) => tableOf(rows, [
  ["call", s => siteButton(s.site)],
  [`share at ${ranks}`, s => percent(s.share), true],
  [barsHead(knowsWaiting(rows.map(s => s.site))), siteBars],
  ["seconds", s => seconds(s.seconds), true],
  ...comparedColumn(ranks),
  ...spreadColumn(rows),
  ["call site", s => siteCell(s.site.site)],
  ["computation before it, s", s => `<code>${
    escapeText(s.site.compute.text)}</code>`],
  ["in the call, s", s => `<code>${escapeText(s.site.in_call.text)}</code>`],
  ["occurrences", s => `<code>${
    escapeText(s.site.occurrences.text)}</code>`]]);

// What calls take together; id: the frames that lead there.
const newNode = (id, names) => ({id, names, children: new Map(), calls: [],
                                 compute: 0, call: 0, waiting: 0, seconds: 0,
                                 share: 0});

function addTo(node, row) {
  for (const sum of ["compute", "call", "waiting", "seconds", "share"]) {
    node[sum] += row[sum];
  }
}

function treeOf(rows) {
  const root = newNode("", []);
  for (const row of rows) {
    let at = root;
    addTo(at, row);
    for (const frame of pathOf(row.site)) {
      if (!at.children.has(frame)) {
        at.children.set(frame, newNode(at.id + "\n" + frame, [frame]));
      }
      at = at.children.get(frame);
      addTo(at, row);
    }
    at.calls.push(row);
  }
  return root;
}

// Frames that lead to one other alone stand in a line with it.
function lined(node) {
  while (!node.calls.length && node.children.size === 1) {
    const [child] = node.children.values();
    node = {...child, names: node.names.concat(child.names)};
  }
  return node;
}

// What takes little is folded, until somebody opens it.
const kLeastOpen = 0.01;
const isOpen = node => view.folds.get(node.id) ?? node.share >= kLeastOpen;

function treeRows(node) {
  const cells = (name, s) => `<span class="tree-name">${name}</span>
    <span class="number">${percent(s.share)}</span><span>${siteBars(s)}</span>
    <span class="number">${seconds(s.seconds)}</span>`;
  const inner = [...node.children.values()].map(lined);
  return inner.concat(node.calls).sort((a, b) => b.seconds - a.seconds).map(
    s => s.site ? `<div class="tree-row">${cells(siteButton(s.site), s)}</div>`
      : `<details data-fold="${escapeText(s.id)}"${isOpen(s) ? " open" : ""}>
        <summary class="tree-row">${cells(s.names.map(escapeText).join(" › "),
                                          s)}</summary>
        <div class="tree-inside">${treeRows(s)}</div></details>`).join("");
}

// What takes most of all: computation before a call, or the call itself.
function takesMost(rows) {
  const of = (s, seconds, name) => ({site: s.site, seconds, name,
                                     share: s.share * (seconds / s.seconds || 0)});
  const parts = rows.flatMap(s => [of(s, s.call, "in"),
                                   of(s, s.compute, "computation before")]);
  const most = parts.reduce((a, b) => b.seconds > a.seconds ? b : a);
  return `${most.name} <b>${escapeText(most.site.call)}</b> at ${
    siteCell(most.site.site)}, ${percent(most.share)}`;
}

// What becomes of a call site when ranks are doubled from those chosen, or from
// half as many where that is the most there is.
function doubledText(forecast, site) {
  const chosen = chosenRanks(forecast);
  const from = 2 * chosen > mostRanks(forecast)
    ? Math.max(1, Math.floor(chosen / 2)) : chosen;
  const part = (name, law) => {
    const before = modelAt(law, from), after = modelAt(law, 2 * from);
    return `${name} ${seconds(before)} become ${seconds(after)}${before > 0
      ? `, ${(after / before).toPrecision(3)} times` : ""}`;
  };
  return `From ${from} to ${2 * from} ranks, of a rank: ${
    part("in the call", site.in_call)}; ${
    part("computation before it", site.compute)}.${waitingText(site)}`;
}

// Waiting is what a call takes beyond the least that it took on any rank.
function waitingText({collective, over_ranks: over}) {
  if (over?.waiting_share === undefined) return "";
  return ` Of the time in the call ${percent(over.waiting_share)} is waiting, ${
    collective ? "the rest the collective itself" : "the rest transfer"}, as in the
    run on ${counted(over.ranks, "rank")}.`;
}

// What the times of the calls are, beside what is forecast, or was measured, of the
// run; from which quotient on they are too far apart to be relied on.
const kLeastApart = 1.25;
function sumAgainstForecast(forecast, all, ranks) {
  const sum = all.reduce((total, s) => total + s.seconds, 0);
  const isAt = p => p.ranks === ranks && !p.refused;
  const forecasted = forecast.points.find(isAt);
  const said = forecasted || forecast.sizes.find(isAt);
  if (!said) return "";
  const times = sum / said.seconds;
  const isApart = times >= kLeastApart || times <= 1 / kLeastApart;
  const sharedCores = said.took_seconds > 1.1 * said.seconds;
  const measured = sharedCores
    ? "the run, with a core for each rank, takes" : "the run took";
  return ` The laws of the calls, each fitted alone, add up to ${seconds(sum)}; ${
    forecasted ? "the forecast of the run is" : measured} ${
    seconds(said.seconds)}${isApart
    ? ": rely on that one, and here on the order alone" : ""}.`;
}

// Also says how much of all is shown.
function exploreRows(forecast) {
  const ranks = chosenRanks(forecast);
  const all = sitesAt(forecast, ranks);
  const rows = all.filter(s => isSought(s.site, view.filter));
  const share = rows.reduce((sum, s) => sum + s.share, 0);
  return `<p class="soft" id="sought" role="status">${rows.length} of ${
    counted(all.length, "call site")}, ${percent(share)} of the time${rows.length
    ? `; at ${ranks} ranks most is ${takesMost(rows)}. ${
      sentence(partsText(rows))}` : ""}${
    sumAgainstForecast(forecast, all, ranks)}</p>` +
    (view.tree
      ? `<div class="scroll" tabindex="0">${treeRows(treeOf(rows))}</div>`
      : siteTable(rows, ranks));
}

function explore(forecast) {
  if (!forecast.sites.length) {
    return '<p class="soft">laws of call sites need three rank counts</p>';
  }
  const all = rankChoices(forecast);
  const at = all.indexOf(chosenRanks(forecast));
  const form = (tree, name) => `<button data-tree="${tree ? 1 : ""}"
    aria-pressed="${tree === view.tree}">${name}</button>`;
  return `<div class="bar-of"><label>at <output id="ranks-chosen">${
    all[at]}</output> ranks <input id="ranks" type="range" min="0" max="${
    all.length - 1}" value="${at}" aria-label="ranks"
    aria-valuetext="${all[at]} ranks"></label>
    ${form(false, "Flat")}${form(true, "Tree")}
    <label>Filter <input id="filter" type="search" value="${
    escapeText(view.filter)}"></label></div>
    <div id="explore">${exploreRows(forecast)}</div>
    <p id="site-doubled"></p><div id="site-chart"></div>
    <div id="site-laws"></div>`;
}

// Whether what this heads is shown.
function fold(summary, open) {
  view.folds.set(summary.parentElement.dataset.fold, open);
}

// By clicks (Enter and Space make them, too) and by the arrow keys.
document.addEventListener("click", e => {
  const summary = e.target.closest("[data-fold] > summary");
  if (summary) fold(summary, !summary.parentElement.open);
});
document.addEventListener("keydown", e => {
  const summary = e.target.closest("[data-fold] > summary");
  if (!summary || (e.key !== "ArrowLeft" && e.key !== "ArrowRight")) return;
  e.preventDefault();
  summary.parentElement.open = e.key === "ArrowRight";
  fold(summary, e.key === "ArrowRight");
});
