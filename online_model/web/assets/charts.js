// Charts, drawn by Observable Plot (window.Plot); data in, elements out. Without
// it (a build without npm) each is nothing, and the tables beside stand alone.
"use strict";

const hasCharts = () => typeof Plot !== "undefined";

// What is drawn over rank counts. of(N, seconds, first): the value there;
// ideal: with nothing lost, of the same work (strong) or as much each (weak).
const modes = {
  time: {
    title: "Run time", axis: "run time (log)", log: true,
    of: (n, s) => s, show: seconds,
    ideal: (n, first, weak) => weak ? first.seconds
      : first.seconds * first.ranks / n},
  speedup: {
    title: "Speed-up", axis: "speed-up (log)", log: true,
    of: (n, s, first, weak) =>
      first.seconds / s * (weak ? n / first.ranks : 1),
    show: v => v.toPrecision(3), ideal: (n, first) => n / first.ranks},
  efficiency: {
    title: "Efficiency", axis: "parallel efficiency, %", log: false,
    of: (n, s, first, weak) => 100 * first.seconds / s *
      (weak ? 1 : first.ranks / n),
    show: v => v.toPrecision(3) + " %", ideal: () => 100},
  cost: {
    title: "Cost", axis: "cost, rank hours (log)", log: true,
    of: (n, s) => n * s / 3600, show: v => v.toPrecision(3) + " rank h",
    ideal: (n, first, weak) =>
      (weak ? n : first.ranks) * first.seconds / 3600},
};

// Rank counts worth a label within [from, to]: powers of two, thinned.
function rankTicks(from, to) {
  const ticks = [];
  for (let n = 2 ** Math.ceil(Math.log2(from)); n <= to * 1.001; n *= 2) {
    ticks.push(n);
  }
  const every = Math.ceil(ticks.length / 9);
  return ticks.filter((_, i) => i % every === 0);
}

// A chart is read as one picture, by its own name; Plot names parts of it, too,
// which have no role to be named by.
function asPicture(chart) {
  for (const part of chart.querySelectorAll("[aria-label]")) {
    part.removeAttribute("aria-label");
  }
  chart.setAttribute("role", "img");
  return chart;
}

// Powers of 10, and where there are few 2 and 5 times them, within [from, to].
function logTicks([from, to]) {
  const decades = Math.log10(to / from);
  const steps = decades > 3 ? [1] : decades > 1.3 ? [1, 3]
    : decades > 0.7 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const ticks = [];
  for (let e = Math.floor(Math.log10(from)); e <= Math.log10(to); ++e) {
    ticks.push(...steps.map(m => m * 10 ** e));
  }
  return ticks.filter(t => t >= from && t <= to);
}

// The axis of rank counts, powers of two as they are.
const ranksAxis = (from, to) => ({
  type: "log", base: 2, domain: [from, to], label: "ranks (log)",
  labelAnchor: "center", labelArrow: "none", ticks: rankTicks(from, to),
  tickFormat: String});

// A law through forecast points: at each place a straight line over the
// logarithms, fitted to those around it. No noise of single walks is drawn.
function smoothed(points) {
  if (points.length < 4) return points;
  const at = points.map(p => [Math.log(p.ranks), Math.log(p.value)]);
  const from = at[0][0], to = at[at.length - 1][0];
  const width = Math.max((to - from) / 4, Math.LN2);
  const steps = 48;
  return Array.from({length: steps + 1}, (_, i) => {
    const x = from + (to - from) * i / steps;
    let w = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const [px, py] of at) {
      const k = Math.exp(-(((px - x) / width) ** 2) * 4);
      w += k; sx += k * (px - x); sy += k * py;
      sxx += k * (px - x) ** 2; sxy += k * (px - x) * py;
    }
    const spread = w * sxx - sx * sx;
    const y = spread > 1e-12 ? (sxx * sy - sx * sxy) / spread : sy / w;
    return {ranks: Math.exp(x), value: Math.exp(y)};
  });
}

// Of [low, high] of several, with room around.
function limits(values, log) {
  const known = values.filter(v => v > 0 && isFinite(v));
  const low = Math.min(...known), high = Math.max(...known);
  return log ? [low / 1.3, high * 1.3] : [0, high * 1.1];
}

// All that one chart of a forecast draws, in one mode: the rows of its CSV, too.
function scalingRows(forecast, mode) {
  const first = forecast.sizes[0];
  const weak = forecast.verdict.scaling === "weak";
  const of = (n, s) => modes[mode].of(n, s, first, weak);
  // A longer time is less speed-up.
  const span = (n, a, b) => [of(n, a), of(n, b)].sort((x, y) => x - y);
  const rows = forecast.sizes.map(s => {
    const spread = s.deviation || 0;
    const [low, high] = span(s.ranks, Math.max(s.seconds - spread,
                                               s.seconds / 100),
                             s.seconds + spread);
    return {kind: "measured", ranks: s.ranks, value: of(s.ranks, s.seconds),
            low, high, seconds: s.seconds, runs: s.runs};
  });
  for (const u of (forecast.under_way || []).filter(u => u.used)) {
    const value = of(u.ranks, u.seconds);
    rows.push({kind: "under way", ranks: u.ranks, value, low: value,
               high: value, seconds: u.seconds, seen: u.share_seen});
  }
  for (const p of forecast.points.filter(p => p.seconds > 0)) {
    const [low, high] = span(p.ranks, Math.max(p.low, p.seconds / 100), p.high);
    rows.push({kind: p.refused ? "refused" : "forecast", ranks: p.ranks,
               value: of(p.ranks, p.seconds), low, high, seconds: p.seconds,
               reason: p.reason || "", basis: p.basis || ""});
  }
  return rows;
}

// What stands beside the pointer.
function tipOf(rows, mode, ranks) {
  const show = modes[mode].show;
  return `${ranks} ranks` + rows.filter(r => r.ranks === ranks).map(r =>
    "\n" + r.kind + " " + show(r.value) +
    (r.kind.endsWith("measured")
      ? ` (${counted(r.runs, "run")}${r.runs > 1 ? "" : ", no spread"})`
      : r.kind.endsWith("under way") ? ` (provisional, ${percent(r.seen)} seen)`
      : `\n  90 %: ${show(r.low)} to ${show(r.high)}`) +
    (r.kind === "refused" ? "\n  not to be relied on" : "")).join("");
}

// Lines across a region, which print as well as they show.
function hatching() {
  const pattern = svgTag("pattern", {
    id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)"});
  pattern.append(svgTag("line", {x1: 0, y1: 0, x2: 0, y2: 6,
                                 stroke: "var(--soft)", "stroke-width": 1}));
  const defs = svgTag("defs");
  defs.append(pattern);
  return defs;
}

// A legend within the drawing, so that it is there on paper, too: one entry behind
// the other, on two lines where there is no room on one. For more there is no room
// above.
const legendMarks = (entries, width) => {
  const room = width - 68;
  const wide = entries.map(([text]) => 14 + 6.5 * text.length);
  const all = wide.reduce((sum, w) => sum + w, 0);
  const air = Math.max(0, Math.min(40, (room - all) / entries.length));
  let x = 0, isSecond = false;
  return entries.map(([text, color], i) => {
    if (!isSecond && x + wide[i] > room) {
      x = 0;
      isSecond = true;
    }
    const dx = x;
    x += wide[i] + air;
    return Plot.text([text], {
      frameAnchor: "top-left", textAnchor: "start", fill: color, dx,
      dy: isSecond || all <= room ? -14 : -30, ariaDescription: "legend"});
  });
};

const fonts = {fontFamily: "system-ui, sans-serif", fontSize: "12px",
               color: "var(--text)", background: "none", overflow: "visible"};

// What stands beside the pointer is made later than what asPicture sees.
const kTip = {ariaHidden: "true", fill: "var(--card)", stroke: "var(--line)"};

// Time, speed-up, efficiency or cost over ranks.
function scalingChart(forecast, mode, width) {
  if (!hasCharts() || !forecast.sizes.length) return null;
  const {axis, log, ideal} = modes[mode];
  const compared = comparedRows(mode);
  const rows = scalingRows(forecast, mode).concat(compared);
  const first = forecast.sizes[0];
  const weak = forecast.verdict.scaling === "weak";
  const known = rows.filter(r => r.kind !== "refused");
  const law = known.filter(r => r.kind === "forecast");
  const from = Math.min(...known.map(r => r.ranks));
  const last = Math.max(...known.map(r => r.ranks));
  const isCut = forecast.points.some(p => p.refused && p.ranks > last);
  // What is refused gets a strip, however far it was asked for.
  const to = Math.max(last * (isCut ? (last / from) ** 0.12 * 1.3 : 1.02),
                      from * 2);
  const y = limits(known.flatMap(r => [r.value, r.high,
                                       Math.max(r.low, r.value / 4)])
    .concat(mode === "efficiency" ? [100] : []), log);
  const within = v => Math.min(Math.max(v, y[0]), y[1]);
  // To where the frame cuts it off; straight over logarithms, and elsewhere level.
  const ends = [from, Math.min(last, to)].map(n => ({
    ranks: n, value: ideal(n, first, weak)}));
  const unsure = rows.filter(r => r.kind === "refused" && r.ranks <= to &&
    r.value >= y[0] && r.value <= y[1]);
  const hover = [...new Set(known.concat(unsure).map(r => r.ranks))].map(n => ({
    ranks: n, value: within(rows.find(r => r.ranks === n).value)}));
  const legend = [["○ measured", "var(--text)"], ["━ forecast", "var(--series)"],
                  ["▒ 90 %", "var(--soft)"], ["┄ ideal", "var(--soft)"]];
  if (compared.length) legend.push(["□┅ compared", "var(--calls)"]);
  if (isCut) legend.push(["▨ refused", "var(--soft)"]);
  return Plot.plot({
    width, height: Math.max(300, Math.min(440, width * 0.55)),
    marginLeft: 78, marginTop: 44, marginBottom: 42, marginRight: 18,
    style: fonts, ariaLabel: `${modes[mode].title.toLowerCase()} over ranks`,
    x: ranksAxis(from, to),
    y: {type: log ? "log" : "linear", domain: y, label: axis,
        labelAnchor: "center", labelArrow: "none", grid: true,
        ticks: log ? logTicks(y) : 6,
        tickFormat: v => mode === "time" ? seconds(v)
          : String(Number(v.toPrecision(3)))},
    marks: [
      () => hatching(),
      Plot.frame({stroke: "var(--line)"}),
      isCut ? Plot.rect([{}], {x1: last, x2: to, y1: y[0], y2: y[1],
        fill: "url(#hatch)", fillOpacity: 0.5, ariaDescription: "refused"}) : null,
      Plot.areaY(law, {x: "ranks", y1: r => within(r.low),
        y2: r => within(r.high), fill: "var(--series)", fillOpacity: 0.18}),
      Plot.line(ends, {x: "ranks", y: "value",
        stroke: "var(--soft)", strokeDasharray: "3 4", clip: true,
        ariaDescription: "ideal"}),
      Plot.line(smoothed(law), {x: "ranks", y: r => within(r.value),
        stroke: "var(--series)", strokeWidth: 2, ariaDescription: "forecast"}),
      Plot.ruleX(rows.filter(r => r.kind === "measured" && r.high > r.low), {
        x: "ranks", y1: r => within(r.low), y2: r => within(r.high),
        stroke: "var(--text)", marker: "none", ariaDescription: "spread"}),
      ...comparedMarks(compared, within),
      Plot.dot(unsure, {x: "ranks", y: "value", symbol: "diamond", r: 3,
        stroke: "var(--bad)", ariaDescription: "not to be relied on"}),
      Plot.dot(rows.filter(r => r.kind === "measured"), {x: "ranks",
        y: "value", r: 4.5, fill: "var(--card)", stroke: "var(--text)",
        strokeWidth: 2, ariaDescription: "measured"}),
      Plot.dot(rows.filter(r => r.kind === "under way"), {x: "ranks",
        y: "value", r: 5.5, stroke: "var(--text)", strokeWidth: 2,
        strokeDasharray: "3 2", ariaDescription: "under way"}),
      ...legendMarks(legend, width),
      Plot.tip(hover, Plot.pointerX({x: "ranks", y: "value", ...kTip,
        title: r => tipOf(rows, mode, r.ranks)})),
    ]});
}

// Run times in a list: measured, and the law through what is forecast. No axes:
// the shape is what is looked at.
function smallChart({program, sizes, points}) {
  if (!hasCharts() || !sizes.length) return null;
  const law = smoothed(points.map(([ranks, value]) => ({ranks, value})));
  const all = sizes.concat(points);
  const ranks = all.map(p => p[0]), from = Math.min(...ranks);
  const chart = Plot.plot({
    width: 180, height: 64, margin: 6, style: fonts,
    ariaLabel: `run time of ${program}: ${seconds(sizes[0][1])} on ${
      sizes[0][0]} ranks, ${seconds(all[all.length - 1][1])} on ${
      all[all.length - 1][0]}`,
    x: {type: "log", axis: null, domain: [from, Math.max(...ranks, 2 * from)]},
    y: {type: "log", axis: null, domain: limits(all.map(p => p[1]), true)},
    marks: [
      Plot.line(law, {x: "ranks", y: "value", stroke: "var(--series)",
                      strokeWidth: 1.5}),
      Plot.dot(sizes, {x: "0", y: "1", r: 2.5, fill: "var(--card)",
                       stroke: "var(--text)", ariaDescription: "measured"}),
    ]});
  return asPicture(chart);
}

// Shares of computation and calls over ranks, stacked.
function shareChart(forecast, width) {
  const shown = forecast.points.filter(p => !p.refused);
  if (!hasCharts() || shown.length < 2) return null;
  return Plot.plot({
    width, height: 260, marginLeft: 52, marginTop: 44, marginBottom: 42,
    style: fonts, ariaLabel: "shares of computation and calls",
    x: ranksAxis(shown[0].ranks, shown[shown.length - 1].ranks),
    y: {domain: [0, 100], label: "share of a rank's time, %",
        labelAnchor: "center", labelArrow: "none", ticks: 5},
    marks: [
      Plot.areaY(shown, {x: "ranks", y1: 0, y2: p => 100 * p.compute_share,
        fill: "var(--compute)", ariaDescription: "computation"}),
      Plot.areaY(shown, {x: "ranks", y1: p => 100 * p.compute_share, y2: 100,
        fill: "var(--calls)", ariaDescription: "MPI calls"}),
      ...legendMarks([["■ computation (below)", "var(--compute)"],
                      ["■ MPI calls (above)", "var(--calls)"]], width),
      Plot.tip(shown, Plot.pointerX({x: "ranks", y: p => 100 * p.compute_share,
        ...kTip, title: p =>
          `${p.ranks} ranks\ncomputation ${percent(p.compute_share)}\n` +
          `MPI calls ${percent(p.call_share)}`})),
    ]});
}

// Who sends how much to whom; cells are blocks of ranks when there are many.
function matrixChart(matrix, width) {
  if (!hasCharts()) return null;
  const size = Math.min(width, 420), {block, side} = matrix;
  const most = matrix.cells.reduce((all, c) => Math.max(all, c[2]), 1);
  const name = i => block > 1
    ? `${i * block} to ${Math.min((i + 1) * block, matrix.ranks) - 1}` : i;
  return Plot.plot({
    width: size, height: size + 16, marginLeft: 48, marginTop: 44,
    marginBottom: 42, style: fonts, ariaLabel: "communication matrix",
    x: {domain: [0, side], label: "to rank", labelAnchor: "center",
        labelArrow: "none", ticks: 6, tickFormat: i => String(i * block)},
    y: {domain: [side, 0], label: "from rank", labelAnchor: "center",
        labelArrow: "none", ticks: 6, tickFormat: i => String(i * block)},
    marks: [
      Plot.frame({stroke: "var(--line)"}),
      boxesMark(matrix.cells, {
        box: ([from, to]) => ({x1: to, x2: to + 1, y1: from, y2: from + 1}),
        look: c => fewOpacities(0.12 + 0.88 * Math.log1p(c[2]) / Math.log1p(most)),
        tip: c => `from ${name(c[0])} to ${name(c[1])}\n${bytes(c[2])} in ${
          c[3]} messages`,
        inset: side > 64 ? 0 : 0.3,
        attributes: {fill: "var(--series)", "aria-description": "pairs"}}),
      ...legendMarks([[`■ strongest: ${bytes(most)} (log)`, "var(--series)"]],
                     size),
    ]});
}

// Seconds of a rank at one call site by its laws, with what is known of the
// rank counts.
function siteChart(forecast, site, ranks, width) {
  if (!hasCharts()) return null;
  const from = forecast.sizes[0].ranks, to = Math.max(ranks, mostRanks(forecast));
  const at = Array.from({length: 49}, (_, i) => from * (to / from) ** (i / 48));
  const curves = [["computation before", "compute", "var(--compute)"],
                  ["in the call", "in_call", "var(--calls)"]];
  const y = limits(curves.flatMap(c => at.map(n => modelAt(site[c[1]], n))),
                   true);
  if (!isFinite(y[0])) return null;
  y[0] = Math.max(y[0], y[1] / 1e6);
  return Plot.plot({
    width, height: 240, marginLeft: 78, marginTop: 44, marginBottom: 42,
    style: fonts, ariaLabel: "time of a call site over ranks",
    x: ranksAxis(from, to),
    y: {type: "log", domain: y, label: "time of a rank (log)",
        labelAnchor: "center", labelArrow: "none", grid: true,
        ticks: logTicks(y), tickFormat: seconds},
    marks: [
      Plot.frame({stroke: "var(--line)"}),
      ...curves.map(([name, part, color]) => Plot.line(
        at.map(n => ({n, v: modelAt(site[part], n)})).filter(p => p.v >= y[0]),
        {x: "n", y: "v", stroke: color, strokeWidth: 2, ariaDescription: name,
         strokeDasharray: part === "compute" ? "6 3" : null})),
      Plot.ruleX([ranks], {stroke: "var(--soft)", ariaDescription: "chosen"}),
      ...legendMarks([["┅ computation before", "var(--compute)"],
                      ["━ in the call", "var(--calls)"]], width),
    ]});
}

// The drawing alone, with the colours of this page: for a file of its own.
function standalone(svg) {
  const style = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(svg);
  return text.replace(/var\((--[a-z]+)\)/g,
    (_, name) => style.getPropertyValue(name).trim());
}

function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Twice as fine as the screen, on the page's ground.
function downloadPng(svg, name) {
  const picture = new Image(), scale = 2;
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = scale * svg.width.baseVal.value;
    canvas.height = scale * svg.height.baseVal.value;
    const to = canvas.getContext("2d");
    to.fillStyle = getComputedStyle(document.body).backgroundColor;
    to.fillRect(0, 0, canvas.width, canvas.height);
    to.drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => download(name, blob, "image/png"));
  };
  picture.src = URL.createObjectURL(
    new Blob([standalone(svg)], {type: "image/svg+xml"}));
}

const csvOf = rows => "kind,ranks,value,low,high,seconds\n" + rows.map(r =>
  [r.kind, r.ranks, r.value, r.low, r.high, r.seconds].join(",")).join("\n") +
  "\n";
