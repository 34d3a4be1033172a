// What a draw takes from nobody: the focus, the caret, where something is
// scrolled to, a button that is being pressed, what did not change, and more time
// than what is on the screen needs.
"use strict";

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

// What scrolls, by its section and which of those there it is.
function scrolled() {
  const all = new Map();
  for (const section of document.querySelectorAll("section")) {
    const name = section.querySelector("h2")?.textContent;
    section.querySelectorAll(".scroll").forEach(
      (at, i) => all.set(name + "\n" + i, at));
  }
  return all;
}

// Rows of a table (text.js) as far down as somebody scrolls, and a little further.
function showRows(place, top) {
  const rest = place.querySelector("table + script");
  if (!rest) return;
  const rows = rest.textContent.split("</tr>").slice(0, -1).map(r => r + "</tr>");
  const body = place.querySelector("tbody");
  const had = rows.length;
  while (rows.length && place.scrollHeight < top + 3 * place.clientHeight) {
    body.insertAdjacentHTML("beforeend", rows.splice(0, kRowsAtOnce).join(""));
  }
  if (!rows.length) rest.remove();
  else if (rows.length < had) rest.textContent = rows.join("");
}

// To where somebody was; place: null is none.
function scrollRows(place, top, left = 0) {
  if (!place) return;
  if (top > 0) showRows(place, top);
  place.scrollTo(left, top);
}

function showAllRows() {
  for (const place of document.querySelectorAll(".scroll")) {
    showRows(place, Infinity);
  }
}

addEventListener("scroll", e => {
  if (e.target.classList?.contains("scroll")) showRows(e.target, e.target.scrollTop);
}, {capture: true, passive: true});

// Runs draw, which makes anew what changed, and gives back what was had.
function keeping(draw) {
  const focus = nameOfFocus();
  const {activeElement: at} = document;
  const caret = at?.type === "search" ? at.selectionStart : null;
  const places = [...scrolled()].map(([name, {scrollLeft, scrollTop}]) =>
    ({name, scrollLeft, scrollTop}));
  const focused = [...scrolled()].find(([, place]) => place === at);
  const {scrollX: left, scrollY: top} = window;
  draw();
  scrollTo(left, top);  // charts may have become higher
  const now = scrolled();
  for (const {name, scrollLeft, scrollTop} of places) {
    scrollRows(now.get(name), scrollTop, scrollLeft);
  }
  const again = focus ? document.querySelector(focus)
    : focused && now.get(focused[0]);
  if (again) again.focus({preventScroll: true});
  if (again && caret !== null) again.setSelectionRange(caret, caret);
}

// While a button or a slider is held down, what it is must stay: the draw comes
// afterwards. press: the press that holds it, null: nobody holds anything.
const held = {press: null, draw: null};

function unlessHeld(draw) {
  if (!held.press) return draw();
  held.draw = draw;
}

function hold() { held.press = {}; }

function letGo() {
  const {press} = held;
  // The click of what was pressed comes first; and maybe, as of a double click,
  // the next press: that one holds what it is, too.
  setTimeout(() => {
    if (held.press !== press) return;
    const {draw} = held;
    Object.assign(held, {press: null, draw: null});
    if (draw) draw();
  });
}

addEventListener("pointerdown", hold, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, letGo, true);
}
// Of the window: nobody tells it where the pointer is let go.
addEventListener("blur", letGo);

// Puts html into an element, if that is not what it has: a choice that is open
// stays open.
const written = new WeakMap();
function write(element, html) {
  if (written.get(element) === html) return;
  written.set(element, html);
  element.innerHTML = html;
}

function elementOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const {firstElementChild: element} = template.content;
  written.set(element, html);
  return element;
}

// Makes the children of an element what parts say, HTML of an element each. A
// child that says it already stays, with all that is in it: parsing, styles and
// layout of what did not change were most of a draw.
function writeParts(element, parts) {
  const had = new Map([...element.children].map(e => [written.get(e), e]));
  const wanted = new Set(parts.map(html => {
    const kept = had.get(html);
    had.delete(html);  // for one of two that say the same
    return kept || elementOf(html);
  }));
  for (const child of wanted) if (!child.isConnected) takePictures(child);
  for (const child of [...element.children]) {
    if (!wanted.has(child)) child.remove();
  }
  let at = element.firstElementChild;
  for (const child of wanted) {
    if (child === at) at = at.nextElementSibling;
    else element.insertBefore(child, at);
  }
}

// The parts of an answer that say what they said before are the same objects as
// before: who keeps what was made of them asks by ===.
function shared(before, answer) {
  if (!before || !answer) return answer;
  const out = {...answer};
  for (const [name, value] of Object.entries(answer)) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) {
      out[name] = before[name];
    }
  }
  return out;
}

// As `shared`, of a list of programs: one more or less, or in another order.
function sharedOverview(before, answer) {
  if (!before || !answer) return answer;
  const had = new Map(before.programs.map(p => [JSON.stringify(p), p]));
  return {...answer,
          programs: answer.programs.map(p => had.get(JSON.stringify(p)) || p)};
}

// Charts that are to be drawn, by id: one at a time, those on the screen first and
// others when there is time, at the latest so many ms from now, or when they are
// needed.
const kLatestMs = 300;
const deferred = new Map();
const heights = new Map();  // of the charts that were drawn, by id

function isOnScreen(place) {
  const {top, bottom} = place.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}

const whenIdle = what => window.requestIdleCallback
  ? requestIdleCallback(what, {timeout: kLatestMs}) : setTimeout(what);

// A page that nobody looks at has no frames.
const afterFrame = what => document.hidden
  ? whenIdle(what) : requestAnimationFrame(() => setTimeout(what));

const seenDeferred = () => [...deferred.keys()].find(id => {
  const place = document.getElementById(id);
  return place && isOnScreen(place);
});

function drawNextDeferred() {
  const next = seenDeferred() ?? deferred.keys().next().value;
  if (next === undefined) return;
  drawOneDeferred(next);
  if (deferred.size) (seenDeferred() ? afterFrame : whenIdle)(drawNextDeferred);
}

function drawOneDeferred(id) {
  const draw = deferred.get(id);
  deferred.delete(id);
  draw();
}

function drawIfDeferred(id) {
  if (deferred.has(id)) drawOneDeferred(id);
}

function drawDeferred() {
  for (const id of [...deferred.keys()]) drawOneDeferred(id);
}

// What the chart in a place was drawn from.
const sources = new WeakMap();

const isDrawnFrom = (place, from) => {
  const before = sources.get(place);
  return before?.length === from.length && before.every((v, i) => v === from[i]);
};

// Takes charts over from the page into what replaces their sections there. Places
// are as high as their charts were: nothing moves, and what is on the screen is
// there before its neighbours are drawn.
function takePictures(into) {
  for (const [id, height] of heights) {
    const place = into.querySelector("#" + id);
    if (!place) continue;
    place.style.minHeight = height + "px";
    const before = document.getElementById(id);
    if (!before) continue;
    place.append(...before.childNodes);
    sources.set(place, sources.get(before));
  }
}

function defer(id, draw) {
  if (!deferred.size) afterFrame(drawNextDeferred);
  deferred.set(id, draw);
}

// Who scrolls there, prints or looks at a chart with a key sees it.
addEventListener("scroll", () => {
  for (const id of [...deferred.keys()]) {
    const place = document.getElementById(id);
    if (!place || isOnScreen(place)) drawOneDeferred(id);
  }
}, {passive: true});
addEventListener("beforeprint", () => {
  drawDeferred();
  showAllRows();
});
