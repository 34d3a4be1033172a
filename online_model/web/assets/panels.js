// The sections of the page that are text and tables: a forecast, or the state of
// the side-car, in, HTML out. What is folded is in `view` (page.js).
"use strict";

// A call site as it is read, where that is known.
const siteName = site => (view.forecast?.names || {})[site]?.text ?? site;

// As many whole frames as there is room for, the innermost in any case.
const kMostSiteText = 66, kMostFrameText = 100;
function shortSite(text) {
  const frames = text.split(" < ");
  let shown = frames[0], used = 1;
  while (used < frames.length &&
         shown.length + 3 + frames[used].length <= kMostSiteText) {
    shown += " < " + frames[used++];
  }
  if (shown.length > kMostFrameText) {
    return shown.slice(0, kMostFrameText - 3) + "...";
  }
  return used < frames.length ? shown + " < ..." : shown;
}

// The same in a table; module and offset beside it.
function siteCell(site) {
  const text = siteName(site);
  const shown = shortSite(text);
  return `<code title="${escapeText(text)}\n${escapeText(site)}">${
    escapeText(shown)}</code>`;
}

// What a run took here, where ranks shared cores and times are of a machine on
// which they do not.
const tookHere = s => s.took_seconds > 1.1 * s.seconds
  ? `, which took ${seconds(s.took_seconds)} here: ranks shared cores` : "";

function tiles(forecast) {
  const last = forecast.sizes[forecast.sizes.length - 1];
  if (!last) return "";
  const out = [[`${last.ranks} ranks, measured`, seconds(last.seconds),
                counted(last.runs, "run") + tookHere(last)]];
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
    walkProgress(forecast) + refusals(forecast) +
    bases(forecast);
}

// A line for all that is refused for one reason.
const refusals = forecast => forecast.refusals.map(r => `<p class="soft">refused
  at ${escapeText(r.text)} ranks: ${escapeText(r.reason)}</p>`).join("");

// How much is walked, and about how long the rest takes.
function walkProgress({walking, walks}) {
  if (!walking || !walks) return "";
  const {walked, all, left_seconds: left, waits_for_core: waits} = walks;
  return `<p class="soft" id="walking">walking the traces: ${walked} of ${
    counted(all, "size")}, ${percent(walked / all)}${
    left > 0 ? `, about ${seconds(left)} left` : ""}${
    waits ? ", waiting for a free core" : ""}</p>`;
}

// A way whose reason is longer is folded: the chart beside it is not so high.
const kMostBasis = 120;

// How the times were found, each way once.
function bases(forecast) {
  const ranks = new Map();
  for (const p of forecast.points) {
    if (!p.basis) continue;
    if (!ranks.has(p.basis)) ranks.set(p.basis, []);
    ranks.get(p.basis).push(p.ranks);
  }
  const list = all => all.length > 4
    ? `${all.length} sizes from ${all[0]} to ${all[all.length - 1]}`
    : all.join(", ");
  const said = text => `<p class="soft basis">${text}</p>`;
  const spread = forecast.spread ? said(escapeText(forecast.spread)) : "";
  // Without a network by its name that of the links is told.
  const {network: named, links} = forecast;
  const network = (named && named !== links
    ? said(`times on a machine with a core for each rank and
      the network ${escapeText(named)}`) : "") + (links
    ? said(`messages walked over the links of ${escapeText(links)}`) : "");
  const ways = [...ranks].map(([basis, all]) => `<p class="soft basis">at ${
    list(all)} ranks: ${escapeText(basis)}</p>`);
  const isLong = ways.length > 2 ||
    [...ranks.keys()].some(basis => basis.length > kMostBasis);
  return spread + network + (isLong
    ? `<details data-fold="ways"${view.folds.get("ways") ? " open" : ""}>
      <summary>How the times were found</summary>${ways.join("")}</details>`
    : ways.join(""));
}

function growing(forecast) {
  if (!forecast.growing.length) {
    return '<p class="soft">no call site grows as far as is forecast</p>';
  }
  return `<p class="soft">By the law of each call alone.</p>` +
    tableOf(forecast.growing, [
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

// The newest runs that were stored or refused, newest first.
const noticeList = ({notices}) => !notices.length ? ""
  : `<ul id="notices">${notices.map(n => `<li${n.refused
    ? ' class="refused"' : ""}>${escapeText(noticeText(n))}</li>`).join("")}</ul>`;

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

// What is estimated of a call site, with 90 % intervals.
function estimateText(e) {
  const number = (v, width) => `${Math.round(v)} ± ${Math.round(width)}`;
  return e.messages > 0
    ? `${number(e.messages, e.messages_width)} messages, ` +
      `${number(e.bytes, e.bytes_width)} bytes, ` +
      `${number(e.partners, e.partners_width)} pairs of ranks`
    : "";
}

const estimateLine = e => `<div>estimated: <code>${escapeText(e.call)} at
  ${escapeText(siteName(e.site))}</code>${
  e.messages > 0 ? ": " + estimateText(e) : ""}</div>`;

// Laws name a site whole, or by its innermost frame where that is enough.
const kLawSite = /^(\S+ at )(.+?)(: )/;
function namesInLaws() {
  const names = new Map();
  for (const [site, {text}] of Object.entries(view.forecast?.names || {})) {
    names.set(site, text);
    names.set(site.split(" < ")[0], text.split(" < ")[0]);
  }
  return names;
}
const namedLaw = (law, names) => law.replace(kLawSite, (all, call, site, end) =>
  call + (names.get(site) ?? site) + end);

// Of one call site, without its name.
const lawsOf = (laws, {call, site}) => laws.laws.flatMap(law => {
  const [begin, said, place] = law.match(kLawSite) || [];
  return said === call + " at " && [site, site.split(" < ")[0]].includes(place)
    ? [law.slice(begin.length)] : [];
});

// One of two names of a place may have fewer of its frames.
const isWithin = (path, frames) =>
  path === frames || path.startsWith(frames + " < ");
const isOfSite = (e, {call, site}) => e.call === call &&
  (isWithin(e.site, site) || isWithin(site, e.site));

const whyNotEstimated = ({not_estimated: why}) =>
  why ? ` Not estimated either: ${escapeText(why)}.` : "";

// Whether what a call is given is known exactly, and by which laws; or what is
// estimated of it.
function siteLaws(site) {
  const {laws} = view;
  if (!laws) return '<p class="soft">looking for laws</p>';
  // Where the program has no laws throughout, and nothing is known of its calls.
  if (laws.refused && !laws.laws) {
    return `<p><b>Not known:</b> no laws give all that the program does.${
      whyNotEstimated(laws)}</p>`;
  }
  const own = lawsOf(laws, site);
  const listed = !own.length ? "" : `<div class="scroll" tabindex="0">${own.map(l =>
    `<div><code>${escapeText(l)}</code></div>`).join("")}</div>`;
  const estimate = (laws.estimates || []).find(e => isOfSite(e, site));
  if (estimate) {
    return `<p><b>Estimated:</b> not all that it is given follows laws.${
      estimate.messages > 0 ? ` On ${counted(laws.ranks, "rank")}: ${
        estimateText(estimate)}.` : ""}</p>${listed}`;
  }
  // Each call that laws give has one, if only of how often it is made.
  return listed ? "<p><b>Exact:</b> what it is given follows laws.</p>" + listed
    : "<p><b>Not known:</b> no law that was found is of this call.</p>";
}

function lawList(laws) {
  if (!laws) return '<p class="soft">looking for laws</p>';
  if (laws.refused && !laws.laws) {
    return `<p class="soft">${escapeText(sentence(laws.refused))}${
      whyNotEstimated(laws)}</p>`;
  }
  const names = namesInLaws();
  const what = laws.refused
    ? `${escapeText(sentence(laws.refused))} All the same ${laws.exact} parameters
      follow laws; estimated is, on ${counted(laws.ranks, "rank")}:`
    : `${laws.exact} parameters follow laws that give every value of every rank at
      every size measured${laws.held_out_ranks
      ? `; ${laws.held_out_ranks} ranks were held out and predicted` : ""}.`;
  return `<p class="soft">${what}</p>${
    (laws.estimates || []).map(estimateLine).join("")}
    <div class="scroll" tabindex="0">${laws.laws.map(l =>
    `<div><code>${escapeText(namedLaw(l, names))}</code></div>`).join("")}</div>`;
}

// Who sends to whom is told of so many ranks at most.
const kMostMatrixRanks = 65536;

// Of the runs, and of what laws make at other rank counts. A report has one.
function matrixChoice(matrix) {
  const {forecast} = view;
  if (embedded || !forecast) return "";
  const measured = new Set(forecast.sizes.map(s => s.ranks));
  const all = new Set([...measured, matrix.ranks,
                       ...forecast.points.map(p => p.ranks)]);
  const options = [...all].filter(n => n <= kMostMatrixRanks)
    .sort((a, b) => a - b).map(n => `<option value="${n}"${
      n === (view.matrixRanks || matrix.ranks) ? " selected" : ""}>${n} ${
      measured.has(n) ? "(measured)" : "(by laws)"}</option>`);
  return `<div class="bar-of"><label>at <select id="matrix-ranks">${
    options.join("")}</select> ranks</label></div>`;
}

const matrixSection = matrix => matrixChoice(matrix) + (matrix.refused
  ? `<p class="soft" id="heaviest" role="status">${
    escapeText(sentence(matrix.refused))}</p>`
  : heaviest(matrix) +
    (matrix.cells.length ? '<div id="chart-matrix"></div>' : ""));

// What ranks exchange without messages of their own: collectives, neighbourhoods,
// windows.
const kMostOthers = 4;
function othersText(others) {
  const named = others.slice(0, kMostOthers).map(([call, times]) =>
    `<code>${escapeText(call)}</code> (${counted(times, "call")})`).join(", ");
  const more = others.length - kMostOthers;
  return more > 0 ? `${named} and ${more} more kinds of calls` : named;
}

// Who sends most to whom, in words.
function heaviest({cells, block, ranks, others}) {
  const said = text => `<p class="soft" id="heaviest" role="status">${text}</p>`;
  const most = cells.reduce((a, b) => a && a[2] >= b[2] ? a : b, null);
  if (!most) {
    return said("No rank sends a message to another" + (others.length
      ? `: all is exchanged by ${othersText(others)}.` : "."));
  }
  const name = i => block > 1 ? `ranks ${i * block} to ${
    Math.min((i + 1) * block, ranks) - 1}` : `rank ${i}`;
  return said(`Most goes from ${name(most[0])} to ${name(most[1])}: ${
    bytes(most[2])} in ${counted(most[3], "message")}.${others.length
    ? ` Point to point; not in it: ${othersText(others)}.` : ""}`);
}

// What a report says of itself.
const factList = ({facts}) => `<dl>${facts.map(([name, text]) =>
  `<div><dt>${escapeText(name)}</dt><dd>${escapeText(text)}</dd></div>`)
  .join("")}</dl>`;

const section = (kind, title, content) =>
  `<section class="${kind}"><h2>${title}</h2>${content}</section>`;
