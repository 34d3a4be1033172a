// Rectangles in a chart, however many: one path for all that look alike, and one
// title that says what the pointer is on. An element and a title each took most of
// the time of a draw.
"use strict";

function svgTag(name, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) element.setAttribute(k, v);
  return element;
}

// Of a pixel: what is thinner takes no place in a path.
const kPathSteps = 1e5;
const inPath = v => Math.round(v * kPathSteps) / kPathSteps;

const boxPath = ({x1, x2, y1, y2}) =>
  `M${inPath(x1)} ${inPath(y1)}H${inPath(x2)}V${inPath(y2)}H${inPath(x1)}Z`;

// What the box at a place, in pixels of the drawing, stands for; of several the
// one drawn last.
const pieceAt = (boxes, x, y) => boxes.findLast(
  b => x >= b.x1 && x <= b.x2 && y >= b.y1 && y <= b.y2)?.row;

// A mark: a box for each row. box(row): {x1, x2, y1, y2} in the chart's units;
// look(row): its opacity; tip(row): what is said of it; inset: pixels that a box is
// smaller by at each side; gap: and those with room for it at left and right; wide:
// that it has at least; attributes: of all.
const kRoomForGap = 3;
function boxesMark(rows, {box, look = () => 1, tip, inset = 0, gap = 0, wide = 0,
                          attributes}) {
  return (_, {x, y}) => {
    const boxes = rows.map(row => {
      const at = box(row);
      const [left, right] = [x(at.x1), x(at.x2)];
      const less = inset + (right - left >= kRoomForGap ? gap : 0) -
        Math.max(0, (wide - (right - left)) / 2);
      return {row, x1: left + less, x2: right - less,
              y1: y(at.y1) + inset, y2: y(at.y2) - inset};
    });
    const alike = new Map();
    for (const b of boxes) {
      const key = look(b.row);
      if (!alike.has(key)) alike.set(key, []);
      alike.get(key).push(boxPath(b));
    }
    const title = svgTag("title");
    const group = svgTag("g", attributes);
    group.append(title, ...[...alike].map(([opacity, paths]) => svgTag(
      "path", {d: paths.join(""), "fill-opacity": opacity})));
    group.addEventListener("pointermove", e => {
      const {x, y} = new DOMPoint(e.clientX, e.clientY).matrixTransform(
        group.getScreenCTM().inverse());
      const row = pieceAt(boxes, x, y);
      title.textContent = row === undefined ? "" : tip(row);
    });
    return group;
  };
}

// An opacity, of which there are few: each is a path.
const kOpacities = 64;
const fewOpacities = v => Math.round(v * kOpacities) / kOpacities;
