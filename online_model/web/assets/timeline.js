// One iteration of some ranks along time. view.timeline: what the side-car, or
// the report, says of it; view.zoom: what is shown, [from, to] in nanoseconds,
// null for all; view.asTable: read as a table.
"use strict";

const nanoseconds = ns => seconds(ns * 1e-9);

const laneName = lane => `${lane.pace}, rank ${lane.rank}`;

// Each call with the computation before it: where they begin and end. Of each
// answer once: who zooms draws it again and again.
const knownRows = new WeakMap();
function timelineRows(timeline) {
  if (!knownRows.has(timeline)) knownRows.set(timeline, rowsOfLanes(timeline));
  return knownRows.get(timeline);
}

function rowsOfLanes(timeline) {
  return timeline.lanes.flatMap((lane, index) => {
    let at = 0;
    return lane.events.map(([call, text, compute, inCall]) => {
      const row = {lane, index, ...timeline.calls[call],
                   text: timeline.texts[text], compute, inCall, from: at,
                   calls: at + compute, to: at + compute + inCall};
      at = row.to;
      return row;
    });
  });
}

const timelineEnd = timeline =>
  Math.max(1, ...timeline.lanes.map(l => l.compute_ns + l.call_ns));

// A shared link may be of another run.
function timelineRange(timeline) {
  const end = timelineEnd(timeline);
  const [from, to] = view.zoom || [0, end];
  return from >= 0 && to <= end && from < to ? [from, to] : [0, end];
}

// The closest that is looked at, of the whole: the calls of one piece.
const kClosest = 1e-4;

// The range with its middle moved by a share of itself, and longer by a factor;
// null where that is all.
function zoomed(timeline, factor, move, about) {
  const [from, to] = timelineRange(timeline);
  const end = timelineEnd(timeline);
  const wide = Math.min(end, Math.max(end * kClosest, (to - from) * factor));
  const middle = about ?? (from + to) / 2 + move * (to - from);
  const begin = Math.min(Math.max(0, middle - wide / 2), end - wide);
  return wide >= end ? null : [begin, begin + wide];
}

const kZooms = {
  in: ["Zoom in", timeline => zoomed(timeline, 0.5, 0)],
  out: ["Zoom out", timeline => zoomed(timeline, 2, 0)],
  left: ["Earlier", timeline => zoomed(timeline, 1, -0.25)],
  right: ["Later", timeline => zoomed(timeline, 1, 0.25)],
  all: ["All", () => null],
};
const kZoomKeys = {"+": "in", "=": "in", "-": "out", ArrowLeft: "left",
                   ArrowRight: "right", Home: "all", 0: "all"};

function timelineSection(timeline) {
  const zooms = Object.entries(kZooms).map(([key, [name]]) =>
    `<button data-zoom="${key}">${name}</button>`).join("");
  const [lane] = timeline.lanes;
  const which = timeline.lanes.some(l => l.iterations > 1)
    ? `Iteration ${lane.iteration + 1} of ${lane.iterations} of the loop that
      begins with ${escapeText(timeline.call)} at ${siteCell(timeline.site)},
      ${percent(timeline.share)} of the time.`
    : `The run, which has no loop.`;
  const cut = timeline.lanes.some(l => l.left_out > 0)
    ? " What comes behind is left out." : "";
  return `<p class="soft">${which}${cut} ${
    escapeText(sentence(timeline.basis))}</p>
    <div class="bar-of" role="group" aria-label="timeline">${zooms}
    <button data-as-table aria-pressed="${view.asTable}">Table</button></div>
    <div id="timeline" role="group" tabindex="0" aria-label="timeline: plus and
    minus zoom, left and right move, Home shows all"></div>`;
}

// Room for their names, and behind them, in the chart.
const kLaneNames = 120, kBehindLanes = 24;

// Pixels of ground at each side of a piece that is not thin.
const kBetweenPieces = 0.25;

// What a call is, wherever the pointer is on it.
const timelineTip = r => `${laneName(r.lane)}\n${r.text}\nat ${
  siteName(r.site)}\ncomputes ${nanoseconds(r.compute)} before it\nin the call ${
  nanoseconds(r.inCall)}`;

function timelineChart(timeline, width) {
  if (!hasCharts()) return null;
  const [from, to] = timelineRange(timeline);
  const {lanes} = timeline;
  const rows = timelineRows(timeline).filter(r => r.to >= from && r.from <= to);
  const part = (begin, end, top, bottom, color, name) => boxesMark(
    rows.filter(r => r[begin] < to && r[end] > Math.max(from, r[begin])), {
      box: r => ({x1: Math.max(from, r[begin]), x2: Math.min(to, r[end]),
                  y1: r.index + top, y2: r.index + bottom}),
      tip: timelineTip, gap: kBetweenPieces,
      attributes: {fill: color, "aria-description": name}});
  return Plot.plot({
    width, height: 96 + 46 * lanes.length, marginLeft: kLaneNames,
    marginRight: kBehindLanes,
    marginTop: 44, marginBottom: 42, style: fonts,
    ariaLabel: "timeline of " + lanes.map(laneName).join("; "),
    x: {domain: [from, to], label: "time from the iteration's begin",
        labelAnchor: "center", labelArrow: "none", grid: true,
        ticks: Math.max(3, Math.round(width / 130)), tickFormat: nanoseconds},
    y: {domain: [lanes.length, 0], axis: null},
    marks: [
      Plot.frame({stroke: "var(--line)"}),
      part("from", "calls", 0.12, 0.88, "var(--compute)", "computation"),
      part("calls", "to", 0.3, 0.7, "var(--calls)", "in calls"),
      // Calls that take no time, so that they are there; one may lie behind what is
      // shown of the computation before it.
      boxesMark(rows.filter(r => r.to === r.calls && r.to <= to), {
        box: r => ({x1: r.to, x2: r.to, y1: r.index + 0.45, y2: r.index + 0.55}),
        wide: 5, tip: timelineTip,
        attributes: {fill: "var(--calls)", "aria-description": "call"}}),
      Plot.text(lanes, {frameAnchor: "left", textAnchor: "end", dx: -8,
                        y: (_, i) => i + 0.5, fill: "var(--text)",
                        text: lane => `${lane.pace}\nrank ${lane.rank}`}),
      ...legendMarks([["■ computation (tall)", "var(--compute)"],
                      ["■ in calls (low)", "var(--calls)"]], width),
    ]});
}

const timelineTable = timeline => tableOf(
  timelineRows(timeline).filter(r => {
    const [from, to] = timelineRange(timeline);
    return r.to >= from && r.from <= to;
  }), [
    ["rank", r => laneName(r.lane)],
    ["at", r => nanoseconds(r.from), true],
    ["computes", r => nanoseconds(r.compute), true],
    ["in the call", r => nanoseconds(r.inCall), true],
    ["call", r => `<code>${escapeText(r.text)}</code>`],
    ["call site", r => siteCell(r.site)]]);

function drawTimeline() {
  const {timeline} = view;
  if (!timeline) return;
  const {zoom, asTable, forecast} = view;
  put("timeline", [timeline, zoom, asTable, forecast?.names], width => view.asTable ? null : timelineChart(timeline, width),
      () => timelineTable(timeline));
}

function zoom(how) {
  choose({zoom: kZooms[how][1](view.timeline)});
  drawTimeline();
}

document.addEventListener("click", e => {
  const {zoom: how, asTable} = e.target.dataset || {};
  if (how) zoom(how);
  if (asTable === undefined) return;
  choose({asTable: !view.asTable});
  e.target.setAttribute("aria-pressed", view.asTable);
  drawTimeline();
});
document.addEventListener("keydown", e => {
  if (e.target.id !== "timeline" || e.ctrlKey || e.metaKey || e.altKey) return;
  if (!Object.hasOwn(kZoomKeys, e.key)) return;
  e.preventDefault();
  zoom(kZoomKeys[e.key]);
});
// Twice: closer, about the pointer.
document.addEventListener("dblclick", e => {
  const svg = e.target.closest("#timeline svg");
  if (!svg || !view.timeline) return;
  const box = svg.getBoundingClientRect();
  const wide = svg.viewBox.baseVal.width;
  const x = (e.clientX - box.left) * wide / box.width;
  const share = (x - kLaneNames) / (wide - kLaneNames - kBehindLanes);
  const [from, to] = timelineRange(view.timeline);
  choose({zoom: zoomed(view.timeline, 0.5, 0, from + share * (to - from))});
  drawTimeline();
});
