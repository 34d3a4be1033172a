// Charts as SVG text. Pure functions but for the tooltip.
"use strict";

// Names are anybody's: no tags, and nothing that turns text around.
function escapeText(text) {
  const obeyed = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f" +
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]", "g");
  return String(text).replace(obeyed, "?").replace(/[&<>"']/g,
    c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;",
           "'": "&#39;"}[c]));
}

function seconds(s) {
  if (!(s > 0)) return "0 s";
  const [scale, unit] = s >= 1 ? [1, "s"] : s >= 1e-3 ? [1e3, "ms"]
    : s >= 1e-6 ? [1e6, "us"] : [1e9, "ns"];
  return Number((s * scale).toPrecision(3)) + " " + unit;
}

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let i = 0;
  while (n >= 1024 && i + 1 < units.length) { n /= 1024; ++i; }
  return Number(n.toPrecision(3)) + " " + units[i];
}

const counted = (n, what) => n + " " + what + (n === 1 ? "" : "s");

const percent = share => (100 * share).toFixed(1) + " %";

// Powers of 10 (and 2 and 5 times them where few) within [from, to].
function logTicks(from, to) {
  const decades = Math.log10(to / from);
  const steps = decades > 3 ? [1] : decades > 1.3 ? [1, 3] : [1, 2, 5];
  const ticks = [];
  for (let e = Math.floor(Math.log10(from)); e <= Math.log10(to); ++e) {
    for (const m of steps) {
      const tick = m * 10 ** e;
      if (tick >= from * 0.999 && tick <= to * 1.001) ticks.push(tick);
    }
  }
  return ticks;
}

// Rank counts worth a label: powers of two, thinned.
function rankTicks(from, to) {
  const ticks = [];
  for (let n = 1; n <= to; n *= 2) if (n >= from) ticks.push(n);
  const every = Math.ceil(ticks.length / 9);
  return ticks.filter((_, i) => i % every === 0);
}

const logScale = (from, to, low, high) => v =>
  low + (high - low) * Math.log(v / from) / Math.log(to / from);

function frame(width, height, xs, ys, x, y, xName, yText) {
  let out = "";
  for (const t of ys) {
    out += `<line class="grid" x1="${x.low}" x2="${x.high}" y1="${y(t)}"
      y2="${y(t)}"/><text x="${x.low - 8}" y="${y(t) + 4}"
      text-anchor="end">${yText(t)}</text>`;
  }
  for (const t of xs) {
    out += `<text x="${x(t)}" y="${height - 22}"
      text-anchor="middle">${t}</text>`;
  }
  return out + `<line class="axis" x1="${x.low}" x2="${x.high}"
    y1="${height - 40}" y2="${height - 40}"/><text x="${x.high}"
    y="${height - 4}" text-anchor="end">${xName}</text>`;
}

function axes(width, height, from, to) {
  const x = logScale(from, Math.max(to, from * 2), 62, width - 14);
  x.low = 62;
  x.high = width - 14;
  return x;
}

const path = points => points.map((p, i) =>
  (i ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1)).join("");

// Run time over ranks: interval band, forecast, measured points.
function forecastChart(forecast) {
  const width = 760, height = 360;
  const shown = forecast.points.filter(p => !p.refused);
  const sizes = forecast.sizes;
  const underWay = (forecast.under_way || []).filter(u => u.used);
  if (!sizes.length) return '<p class="soft">nothing measured yet</p>';
  const all = shown.flatMap(p => [p.low, p.high, p.seconds])
    .concat(sizes.map(s => s.seconds), underWay.map(u => u.seconds))
    .filter(v => v > 0);
  const floor = Math.min(...shown.map(p => p.seconds),
                         ...sizes.map(s => s.seconds)) / 4;
  const from = sizes[0].ranks;
  const to = Math.max(...forecast.points.map(p => p.ranks),
                      ...underWay.map(u => u.ranks),
                      sizes[sizes.length - 1].ranks);
  const least = Math.max(Math.min(...all), floor) * 0.8;
  const most = Math.max(...all) * 1.25;
  const x = axes(width, height, from, to);
  const y = logScale(least, most, height - 40, 12);
  const at = v => y(Math.max(v, least));
  let out = frame(width, height, rankTicks(from, to), logTicks(least, most),
                  x, y, "ranks", seconds);
  if (shown.length > 1) {
    const upper = shown.map(p => [x(p.ranks), at(p.high)]);
    const lower = shown.map(p => [x(p.ranks), at(p.low)]).reverse();
    out += `<path d="${path(upper.concat(lower))}Z" fill="var(--band)"/>
      <path d="${path(shown.map(p => [x(p.ranks), at(p.seconds)]))}"
      fill="none" stroke="var(--series)" stroke-width="2"/>`;
  }
  const last = shown.length ? shown[shown.length - 1].ranks : from;
  const refused = forecast.points.find(p => p.refused && p.ranks > last);
  if (refused) {
    out += `<line class="axis" x1="${x(last)}" x2="${x(last)}" y1="12"
      y2="${height - 40}" stroke-dasharray="4 4"/><text x="${x.high}" y="24"
      text-anchor="end">refused beyond ${last} ranks</text>`;
  }
  const unsure = forecast.points.filter(p => p.refused && p.seconds > 0);
  for (const p of unsure) {
    if (p.seconds > most) continue;
    out += `<circle class="unsure" cx="${x(p.ranks)}" cy="${at(p.seconds)}"
      r="2.5" fill="var(--bad)" opacity="0.6"/>`;
  }
  for (const s of sizes) {
    out += `<circle class="measured" cx="${x(s.ranks)}"
      cy="${at(s.seconds)}" r="4.5" fill="var(--card)"
      stroke="var(--point)" stroke-width="2"/>`;
  }
  for (const u of underWay) {
    out += `<circle class="under-way" cx="${x(Math.max(u.ranks, from))}"
      cy="${at(u.seconds)}" r="5.5" fill="none" stroke="var(--point)"
      stroke-width="2" stroke-dasharray="3 2"/>`;
  }
  const hover = [...new Set(shown.map(p => p.ranks)
    .concat(unsure.map(p => p.ranks), sizes.map(s => s.ranks),
            underWay.map(u => u.ranks)))];
  for (const n of hover) {
    const p = shown.find(q => q.ranks === n);
    const r = unsure.find(q => q.ranks === n);
    const s = sizes.find(q => q.ranks === n);
    const u = underWay.find(q => q.ranks === n);
    const tip = `${n} ranks` +
      (u ? `\nunder way, ${percent(u.share_seen)} seen\n` +
           `expected ${seconds(u.seconds)} (provisional)` : "") +
      (s ? `\nmeasured ${seconds(s.seconds)} (${counted(s.runs, "run")})` : "") +
      (p ? `\nforecast ${seconds(p.seconds)}\n90 %: ${seconds(p.low)} to ` +
           `${seconds(p.high)}\nefficiency ${percent(p.strong_efficiency)}` +
           (p.basis ? `\n${p.basis.slice(0, 48)}` : "")
         : "") +
      (r ? `\nrefused; not to be relied on: ${seconds(r.seconds)}\n` +
           `90 %: ${seconds(r.low)} to ${seconds(r.high)}` : "");
    out += `<rect x="${x(n) - 9}" y="12" width="18" height="${height - 52}"
      fill="transparent" data-tip="${escapeText(tip)}"/>`;
  }
  return `<svg viewBox="0 0 ${width} ${height}" role="img"
    aria-label="run time over ranks">${out}</svg>`;
}

// Shares of computation and calls over ranks, stacked.
function shareChart(forecast) {
  const shown = forecast.points.filter(p => !p.refused);
  if (shown.length < 2) return '<p class="soft">no forecast yet</p>';
  const width = 480, height = 240;
  const x = axes(width, height, shown[0].ranks, shown[shown.length - 1].ranks);
  const y = share => height - 40 - (height - 60) * share;
  const edge = shown.map(p => [x(p.ranks), y(p.compute_share)]);
  const area = (points, base, color) => {
    const under = [[points[points.length - 1][0], y(base)],
                   [points[0][0], y(base)]];
    return `<path d="${path(points.concat(under))}Z" fill="${color}"
      stroke="var(--card)" stroke-width="2"/>`;
  };
  const ticks = rankTicks(shown[0].ranks, shown[shown.length - 1].ranks);
  return `<svg viewBox="0 0 ${width} ${height}" role="img"
    aria-label="shares of computation and calls">` +
    frame(width, height, ticks, [0, 0.5, 1], x, y, "ranks", percent) +
    area(edge, 0, "var(--compute)") + area(edge, 1, "var(--calls)") +
    "</svg>" + '<p class="soft"><span class="dot" ' +
    'style="background:var(--compute)"></span>computation &nbsp; ' +
    '<span class="dot" style="background:var(--calls)"></span>' +
    "MPI calls</p>";
}

// Who sends how much to whom; cells are blocks of ranks when there are many.
function matrixChart(matrix) {
  const n = matrix.side, cell = 320 / n;
  const most = Math.max(...matrix.cells.map(c => c[2]), 1);
  let out = "";
  for (const [from, to, amount, messages] of matrix.cells) {
    const strength = 0.12 + 0.88 * Math.log1p(amount) / Math.log1p(most);
    const name = i => matrix.block > 1
      ? `${i * matrix.block} to ${(i + 1) * matrix.block - 1}` : i;
    out += `<rect x="${40 + to * cell}" y="${20 + from * cell}"
      width="${Math.max(cell - 0.5, 0.5)}" height="${Math.max(cell - 0.5, 0.5)}"
      fill="var(--series)" fill-opacity="${strength.toFixed(3)}"
      data-tip="${escapeText(`from ${name(from)} to ${name(to)}\n` +
      `${bytes(amount)} in ${messages} messages`)}"/>`;
  }
  return `<svg viewBox="0 0 380 368" style="max-width:420px" role="img"
    aria-label="communication matrix"><rect x="40" y="20" width="320"
    height="320" fill="none" class="axis" stroke="var(--line)"/>${out}
    <text x="34" y="32" text-anchor="end">0</text><text x="34" y="340"
    text-anchor="end">${matrix.ranks - 1}</text><text x="40" y="12">to rank
    </text><text x="360" y="358" text-anchor="end">strongest:
    ${bytes(most)}</text><text x="40" y="358">from rank (down)</text></svg>`;
}

// Column: [name, function of a row giving HTML, is a number].
function tableOf(rows, columns) {
  const head = columns.map(c =>
    `<th${c[2] ? ' class="number"' : ""}>${c[0]}</th>`).join("");
  const body = rows.map(row => "<tr>" + columns.map(c =>
    `<td${c[2] ? ' class="number"' : ""}>${c[1](row)}</td>`).join("") +
    "</tr>").join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead>
    <tbody>${body}</tbody></table></div>`;
}
