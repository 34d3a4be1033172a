// What a draw takes from nobody: the focus, the caret, where something is
// scrolled to, and a button that is being pressed.
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

// Runs draw, which makes all anew, and gives back what was had.
function keeping(draw) {
  const focus = nameOfFocus();
  const {activeElement: at} = document;
  const caret = at?.type === "search" ? at.selectionStart : null;
  const places = [...scrolled()].map(([name, {scrollLeft, scrollTop}]) =>
    ({name, scrollLeft, scrollTop}));
  const focused = [...scrolled()].find(([, place]) => place === at);
  const {scrollX: left, scrollY: top} = window;
  draw();
  scrollTo(left, top);  // without its charts the page was shorter for a moment
  const now = scrolled();
  for (const {name, scrollLeft, scrollTop} of places) {
    now.get(name)?.scrollTo(scrollLeft, scrollTop);
  }
  const again = focus ? document.querySelector(focus)
    : focused && now.get(focused[0]);
  if (again) again.focus({preventScroll: true});
  if (again && caret !== null) again.setSelectionRange(caret, caret);
}

// While a button or a slider is held down, what it is must stay: the draw comes
// afterwards.
const held = {pointer: false, draw: null};

function unlessHeld(draw) {
  if (!held.pointer) return draw();
  held.draw = draw;
}

function letGo() {
  // The click of what was pressed comes first.
  setTimeout(() => {
    const {draw} = held;
    Object.assign(held, {pointer: false, draw: null});
    if (draw) draw();
  });
}

addEventListener("pointerdown", () => { held.pointer = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, letGo, true);
}
// Of the window: nobody tells it where the pointer is let go.
addEventListener("blur", letGo);

// Puts html into an element, if that is not what it has: a choice that is open
// stays open, and a chart that stands in it is not drawn again.
const written = new WeakMap();
function write(element, html) {
  if (written.get(element) === html) return;
  written.set(element, html);
  element.innerHTML = html;
}

// The children of an element by their names, in this order: [name, tag, class,
// html]. Those that are there already stay, as far as they have this html.
function arrange(parent, parts) {
  const old = new Map([...parent.children].map(e => [e.dataset.part, e]));
  let next = parent.firstElementChild;
  for (const [name, tag, kind, html] of parts) {
    let element = old.get(name);
    old.delete(name);
    if (!element) {
      element = document.createElement(tag);
      element.dataset.part = name;
      element.className = kind;
    }
    write(element, html);
    if (element === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(element, next);
    }
  }
  for (const element of old.values()) element.remove();
}

// Charts and what they were drawn from, by their places.
const drawnFrom = new WeakMap();

// Puts charts where there is room for them, as wide as that is. Each: [id of its
// place, what it is drawn from, function of the width giving it, or null, and
// then HTML in its stead]. What was drawn from the same is not drawn again.
function put(...charts) {
  const found = charts.map(c => [document.getElementById(c[0]), c]);
  // All widths before any chart: a place that is asked for its width once
  // something has changed makes the browser lay out the whole page.
  const places = found.filter(([place]) => place).map(
    ([place, [, from, ...how]]) => {
      const width = Math.max(300, place.clientWidth);
      return {place, width, from: [...from, width], how};
    });
  for (const {place, width, from, how: [make, instead]} of places) {
    const had = drawnFrom.get(place);
    if (had && had.every((value, i) => value === from[i])) continue;
    drawnFrom.set(place, from);
    const chart = make(width);
    if (chart) {
      place.replaceChildren(asPicture(chart));
    } else {
      place.innerHTML = instead();
    }
  }
}
