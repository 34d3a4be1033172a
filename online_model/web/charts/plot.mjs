// The marks of Observable Plot that charts.js draws with: nothing else is built
// in.
/*! Observable Plot, Copyright 2020-2025 Observable, Inc.; D3 and its modules,
isoformat and internmap, Copyright 2010-2026 Mike Bostock; delaunator, Copyright
2026 Mapbox: ISC License. interval-tree-1d and binary-search-bounds, Copyright
2013-2021 Mikola Lysenko: the MIT License, which says the same. The former:
Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies. THE SOFTWARE IS PROVIDED "AS
IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE
INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT
SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL
DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING
OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE. */
export {areaY, axisX, axisY, dot, frame, gridY, line, plot, pointerX, rect,
        ruleX, text, tip} from "@observablehq/plot";
