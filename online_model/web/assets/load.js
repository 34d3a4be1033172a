// What each rank has to do, where it sits. view.load: what the side-car, or the
// report, says of it; view.loadKind: which time is drawn.
"use strict";

const kLoadKinds = {
  compute: ["Computation", 0], calls: ["In calls", 1], waiting: ["Waiting", 2]};

// Column and row of each cell, by what is known of where ranks are.
function loadPlaces({layout, sides, places, rows}) {
  if (layout === "hosts") {
    return sides.flatMap((ranks, host) => Array.from({length: ranks},
      (_, slot) => ({x: slot, y: host, where: `node ${host}`})));
  }
  if (layout === "plain") {
    const wide = Math.ceil(Math.sqrt(rows.length));
    return rows.map((_, i) => ({x: i % wide, y: Math.floor(i / wide),
                                where: ""}));
  }
  // The last side runs quickest; of more than two sides, planes side by side.
  const across = sides.at(-1), down = sides.at(-2) ?? 1;
  const planes = sides.slice(0, -2).reduce((all, side) => all * side, 1);
  const wide = Math.ceil(Math.sqrt(planes));
  return rows.map((_, rank) => {
    const place = places[rank] ?? rank;
    const plane = Math.floor(place / (across * down));
    const at = [];
    for (let i = sides.length - 1, rest = place; i >= 0; --i) {
      at.unshift(rest % sides[i]);
      rest = Math.floor(rest / sides[i]);
    }
    return {x: place % across + (plane % wide) * (across + 1),
            y: Math.floor(place / across) % down +
              Math.floor(plane / wide) * (down + 1),
            where: `at ${at.join(", ")}`};
  });
}

function loadCells(load) {
  const places = loadPlaces(load);
  return load.rows.map((row, i) => {
    const first = i * load.block;
    const last = Math.min(first + load.block, load.ranks) - 1;
    return {...places[i], row, value: row[kLoadKinds[view.loadKind][1]],
            name: first === last ? `rank ${first}` : `ranks ${first} to ${last}`,
            short: first};
  });
}

const kLayouts = {
  hosts: "A row is a node, as the launcher filled them.",
  grid: "Ranks in the grid that the program had MPI make.",
  network: "Ranks on the network: of a torus the dimensions, else switches from " +
    "the top and nodes; then places on a node, where there are several.",
  plain: "Ranks row by row: no grid of them is known, nor a second node."};

function loadSection(load) {
  const kinds = Object.entries(kLoadKinds).slice(0, load.has_calls ? 3 : 1).map(
    ([key, [name]]) => `<button data-load-kind="${key}" aria-pressed="${
      key === view.loadKind}">${name}</button>`).join("");
  const grid = ["grid", "network"].includes(load.layout)
    ? ` ${load.sides.join(" x ")}.` : "";
  return `<p class="soft">${kLayouts[load.layout]}${grid} ${
    escapeText(sentence(load.basis))}</p>
    <div class="bar-of" role="group" aria-label="load">${kinds}
    <button data-load-table aria-pressed="${view.loadTable}">Table</button></div>
    <div id="load"></div>`;
}

const loadTip = load => c => `${c.name}${c.where ? ", " + c.where : ""}\ncomputes ${
  nanoseconds(c.row[0])}` + (load.has_calls ? `\nin calls ${
  nanoseconds(c.row[1])}\nof that waiting ${nanoseconds(c.row[2])}` : "");

function loadChart(load, width) {
  if (!hasCharts()) return null;
  const cells = loadCells(load);
  const across = Math.max(...cells.map(c => c.x)) + 1;
  const down = Math.max(...cells.map(c => c.y)) + 1;
  const side = Math.max(3, Math.min(30, (Math.min(width, 560) - 40) / across));
  const sorted = cells.map(c => c.value).sort((a, b) => a - b);
  const least = sorted[0], most = sorted.at(-1);
  // Differences below a tenth of the most are not made to look larger.
  const shade = value => (value - least) / Math.max(most - least, most / 10, 1);
  const marks = [
    boxesMark(cells, {
      box: ({x, y}) => ({x1: x, x2: x + 1, y1: y, y2: y + 1}),
      look: c => fewOpacities(0.06 + 0.54 * shade(c.value)), tip: loadTip(load),
      attributes: {fill: "var(--series)", stroke: "var(--line)",
                   "stroke-width": 0.5, "aria-description": "ranks"}})];
  if (side >= 24) {
    marks.push(Plot.text(cells, {x: c => c.x + 0.5, y: c => c.y + 0.5,
      text: c => String(c.short), fill: "var(--text)", pointerEvents: "none"}));
  }
  const [title] = kLoadKinds[view.loadKind];
  return Plot.plot({
    width: Math.max(300, side * across + 40), height: side * down + 76,
    marginLeft: 20, marginRight: 20, marginTop: 52, marginBottom: 24,
    style: fonts, ariaLabel: `${title} of each rank, from ${
      nanoseconds(least)} to ${nanoseconds(most)}`,
    x: {domain: [0, across], axis: null,
        range: [20, 20 + side * across]},
    y: {domain: [down, 0], axis: null},
    marks: [...marks,
      ...legendMarks(nanoseconds(least) === nanoseconds(most)
        ? [[`□ all alike: ${nanoseconds(most)}`, "var(--text)"]]
        : [[`■ strongest: ${nanoseconds(most)}`, "var(--text)"],
           [`□ weakest: ${nanoseconds(least)}`, "var(--text)"]],
                     Math.max(300, side * across + 40))]});
}

const loadTable = load => tableOf(loadCells(load), [
  ["rank", c => c.name.replace(/^ranks? /, ""), true],
  ...(load.layout === "plain" ? [] : [["where", c => c.where]]),
  ["computes", c => nanoseconds(c.row[0]), true],
  ...(load.has_calls
    ? [["in calls", c => nanoseconds(c.row[1]), true],
       ["of that waiting", c => nanoseconds(c.row[2]), true]] : [])]);

function drawLoad() {
  const {load} = view;
  if (!load) return;
  put("load", [load, view.loadKind, view.loadTable], width => view.loadTable ? null : loadChart(load, width),
      () => loadTable(load));
}

document.addEventListener("click", e => {
  const {loadKind, loadTable: asTable} = e.target.dataset || {};
  if (loadKind) {
    choose({loadKind});
    for (const b of document.querySelectorAll("[data-load-kind]")) {
      b.setAttribute("aria-pressed", b.dataset.loadKind === loadKind);
    }
  } else if (asTable !== undefined) {
    choose({loadTable: !view.loadTable});
    e.target.setAttribute("aria-pressed", view.loadTable);
  } else {
    return;
  }
  drawLoad();
});
