// Numbers, names and tables as text. Pure functions.
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

const sentence = text => text[0].toUpperCase() + text.slice(1) + ".";

const percent = share => (100 * share).toFixed(1) + " %";

// Rows of a table that are there at once; as many more come as somebody scrolls.
const kRowsAtOnce = 100;

// Column: [name, function of a row giving HTML, is a number]. Rows that come later
// are text until then: nothing of them is parsed or laid out.
function tableOf(rows, columns) {
  const head = columns.map(c =>
    `<th${c[2] ? ' class="number"' : ""}>${c[0]}</th>`).join("");
  const body = rows.map(row => "<tr>" + columns.map(c =>
    `<td${c[2] ? ' class="number"' : ""}>${c[1](row)}</td>`).join("") +
    "</tr>");
  const rest = body.splice(kRowsAtOnce).join("");
  return `<div class="scroll" tabindex="0"><table${rest
    ? ` aria-rowcount="${rows.length + 1}"` : ""}><thead><tr>${head}</tr></thead>
    <tbody>${body.join("")}</tbody></table>${rest
    ? `<script type="text/plain">${rest}<\/script>` : ""}</div>`;
}
