"""One iteration as a timeline, and what each rank does, as the page shows them,
held against what the commands say."""
import math
import re
import sys

# Of a piece that a pointer finds, in pixels.
THINNEST = 0.01
ROWS = """[...document.querySelectorAll('#%s tbody tr')].map(
  r => [...r.cells].map(c => c.textContent))"""
REDRAW = "draw(), 1"  # an answer that comes in


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


def as_time(browser, ns):
    return browser.value("nanoseconds(%d)" % ns)


def check_timeline(browser, said):
    browser.wait_for("view.timeline && view.timeline.ranks == %d" %
                     said["ranks"])
    check("the timeline is the command's", browser.value("view.timeline") == said)
    lanes = said["lanes"]
    check("three ranks", [lane["pace"] for lane in lanes] ==
          ["slowest", "median", "fastest"])
    for lane in lanes:
        for place, whole in ((2, "compute_ns"), (3, "call_ns")):
            check("a lane's sum", abs(sum(e[place] for e in lane["events"]) -
                                      lane[whole]) <= len(lane["events"]))
    events = [(lane, e) for lane in lanes for e in lane["events"]]
    if browser.value("hasCharts()"):
        check_drawn(browser, said, events)
    if browser.value("hasCharts()"):
        check_instants(browser)
    check_zoom(browser, max(l["compute_ns"] + l["call_ns"] for l in lanes))
    check_calls(browser, said, events)
    browser.check_access("the calls of a timeline")
    browser.click("[data-as-table]", between=REDRAW)
    browser.wait_for("!view.asTable")
    browser.check_access("the timeline")


def check_drawn(browser, said, events):
    """A piece for each computation and each call that takes time."""
    # Beside names at the left and room at the right.
    frame = browser.value(
        "document.querySelector('#timeline svg').viewBox.baseVal.width") - 144
    for place, name, words in ((2, "computation", "computes %s before it"),
                               (3, "in calls", "in the call %s")):
        pieces = browser.pieces("#timeline", name)
        wanted = [(lane, e) for lane, e in events if e[place] > 0]
        check("%d of %s are drawn" % (len(pieces), name),
              len(pieces) == len(wanted))
        end = max(lane["compute_ns"] + lane["call_ns"] for lane in said["lanes"])
        for piece, (lane, e) in zip(pieces, wanted):
            # Less the ground beside it, and what a lane's sum cuts off its last.
            less = 0.501 + len(lane["events"]) / end * frame
            check("%s is as long as it took" % piece, math.isclose(
                piece["width"], e[place] / end * frame, abs_tol=less))
        seen = [(piece["tip"], *of) for piece, of in zip(pieces, wanted)
                if piece["width"] > THINNEST]
        check("some can be pointed at", seen)
        for tip, lane, e in seen:
            check("a tip says whose it is: " + tip, tip.startswith(
                "%s, rank %d\n%s\n" % (lane["pace"], lane["rank"],
                                       said["texts"][e[1]])))
            check("and how long: " + tip,
                  words % as_time(browser, e[place]) in tip)


def check_double_press(browser):
    """The second press of a double click comes before what the first let go is
    drawn, and holds what is under it all the same, though what it stands in
    changed."""
    browser.value("""
      window.pressed = document.querySelector('[data-zoom=in]');
      window.tell = name => pressed.dispatchEvent(
        new PointerEvent(name, {bubbles: true}));
      for (const name of ['pointerdown', 'pointerup', 'pointerdown']) tell(name);
      window.real = view.timeline;
      view.timeline = {...real, basis: 'another basis'};
      draw();
      window.stayed = null;
      setTimeout(() => setTimeout(() => {
        draw();
        window.stayed = pressed.isConnected;
        tell('pointerup');
      })), 1""")
    browser.wait_for("stayed != null")
    check("a second press holds what it is on", browser.value("stayed"))
    browser.wait_for("!pressed.isConnected")  # and the draw comes afterwards
    check("with what changed", "Another basis." in browser.value(
        "document.querySelector('[data-zoom=in]').closest('section').innerText"))
    browser.value("view.timeline = real, draw(), 1")


def check_zoom(browser, end):
    """By keyboard and by buttons, whatever is drawn meanwhile."""
    browser.value("document.getElementById('timeline').focus()")
    for key, zoom in (("+", (1 / 4, 3 / 4)), ("+", (3 / 8, 5 / 8)),
                      ("ArrowRight", (7 / 16, 11 / 16)),
                      ("-", (5 / 16, 13 / 16)), ("Home", None)):
        browser.value(REDRAW)
        browser.press(key)
        now = browser.value("view.zoom")
        check("%s shows %s: %s" % (key, zoom, now), now == zoom or all(
            math.isclose(a, b * end, rel_tol=1e-9) for a, b in zip(now, zoom)))
    check_double_press(browser)
    browser.click("[data-zoom=in]", between=REDRAW)
    browser.wait_for("view.zoom != null")
    check("who zooms keeps the focus", browser.value(
        REDRAW + ", document.activeElement.dataset.zoom") == "in")
    if browser.value("hasCharts()"):
        right = browser.value("document.querySelector('#timeline svg')"
                              ".viewBox.baseVal.width") - 24
        pieces = browser.pieces("#timeline", "computation")
        check("some of it is in sight", pieces)
        check("nothing leaves the frame: %s" % pieces, all(
            p["x"] >= 120 - 1e-3 and p["x"] + p["width"] <= right + 1e-3
            for p in pieces))


# Ten calls that take no time, one each 100 ns.
INSTANT = """view.real = view.timeline, view.asking = {}, view.timeline = {
  ...view.real, lanes: view.real.lanes.map(lane => ({...lane, compute_ns: 1000,
    call_ns: 0, events: Array.from({length: 10}, () => [
      lane.events[0][0], lane.events[0][1], 100, 0])}))},
view.zoom = [150, 450], view.asTable = false, draw(), drawDeferred(), 1"""


def check_instants(browser):
    """Of calls that take no time those are drawn that are in sight: not one beyond
    the frame, whose computation begins in it."""
    browser.value(INSTANT)
    svg = "document.querySelector('#timeline svg')"
    right = browser.value(svg + ".viewBox.baseVal.width") - 24
    pieces = browser.pieces("#timeline", "call")
    lanes = browser.value("view.timeline.lanes.length")
    check("at 200, 300 and 400 ns: %s" % pieces, len(pieces) == 3 * lanes)
    for piece, share in zip(pieces, 3 * lanes * [1 / 6, 1 / 2, 5 / 6]):
        check("where it is: %s" % piece, math.isclose(
            piece["x"] + piece["width"] / 2, 120 + share * (right - 120),
            abs_tol=0.01))
    browser.value("view.timeline = view.real, view.asking = null, view.zoom = null,"
                  "draw(), 1")


def check_calls(browser, said, events):
    """The table has the calls that are in sight, and all when all are."""
    browser.click("[data-as-table]", between=REDRAW)
    browser.wait_for("document.querySelector('#timeline tbody') != null")
    some = browser.value(ROWS % "timeline")
    check("some calls are in sight", 0 < len(some) <= len(events))
    browser.click("[data-zoom=all]", between=REDRAW)
    browser.wait_for("view.zoom == null")
    browser.value(REDRAW)
    rows = browser.value(ROWS % "timeline")
    check("all calls are listed", len(rows) == len(events))
    at = {}
    for row, (lane, e) in zip(rows, events):
        begin = at.get(lane["pace"], 0)
        at[lane["pace"]] = begin + e[2] + e[3]
        wanted = ["%s, rank %d" % (lane["pace"], lane["rank"])] + [
            as_time(browser, ns) for ns in (begin, e[2], e[3])] + [
            said["texts"][e[1]]]
        check("%s is %s" % (row, wanted), row[:5] == wanted)
    browser.click("[data-zoom=in]")


def rank_cells(browser):
    """What is drawn of each rank, by rank."""
    return sorted(browser.pieces("#load", "ranks"),
                  key=lambda c: int(re.match(r"ranks? (\d+)", c["tip"])[1]))


def check_alike(browser):
    """Two figures that read the same are no strongest and weakest."""
    browser.value("""view.realLoad = view.load, view.asking = {}, view.load = {
      ...view.load, rows: view.load.rows.map((_, i) => [75100000 + i, 0, 0])},
      draw(), 1""")
    legend = "document.querySelector('#load svg')?.textContent"
    browser.wait_for(legend + "?.includes('all alike: 75.1 ms')")
    check("of one", "weakest" not in browser.value(legend))
    browser.value("view.load = view.realLoad, view.asking = null, draw(), 1")


def check_load(browser, said):
    browser.wait_for("view.load && view.load.ranks == %d" % said["ranks"])
    check("the load is the command's", browser.value("view.load") == said)
    # A launcher that put all on one node told where they sat.
    check("it is said what is not known", said["layout"] != "plain" or
          "nor a second node" in browser.value(
              "document.getElementById('load').closest('section').innerText"))
    check("a row a rank", len(said["rows"]) == said["ranks"])
    for _, calls, waiting in said["rows"]:
        check("waiting is in calls", 0 <= waiting <= calls)
    kinds = ("compute", "calls", "waiting") if said["has_calls"] else ("compute",)
    for kind in kinds:
        browser.click("[data-load-kind=%s]" % kind, between=REDRAW)
        browser.wait_for("view.loadKind == '%s'" % kind)
        check("it is pressed", browser.value(
            REDRAW + ", document.querySelector('[data-load-kind][aria-pressed="
            "true]').dataset.loadKind") == kind)
        if browser.value("hasCharts()"):
            cells = rank_cells(browser)
            tips = [c["tip"] for c in cells]
            check("a cell a rank", len(tips) == said["ranks"])
            values = [row[kinds.index(kind)] for row in said["rows"]]
            darkest = max(range(len(cells)), key=lambda i: cells[i]["opacity"])
            check("most is darkest: %s, %s" % (values, cells),
                  values[darkest] >= max(values) * (1 - 1 / 30))
            for rank, (tip, row) in enumerate(zip(tips, said["rows"])):
                check("whose: " + tip, tip.startswith("rank %d\n" % rank) or
                      tip.startswith("rank %d, " % rank))
                for value in row[:3 if said["has_calls"] else 1]:
                    check("how much: " + tip, as_time(browser, value) in tip)
    browser.check_access("the load")
    if browser.value("hasCharts()"):
        browser.click("[data-load-kind=compute]", between=REDRAW)
        check_alike(browser)
    browser.click("[data-load-table]", between=REDRAW)
    browser.wait_for("document.querySelector('#load tbody') != null")
    browser.value(REDRAW)
    rows = browser.value(ROWS % "load")
    for rank, (row, values) in enumerate(zip(rows, said["rows"])):
        shown = [as_time(browser, v)
                 for v in values[:3 if said["has_calls"] else 1]]
        check("%s has %s" % (row, shown), row[0] == str(rank) and
              row[-len(shown):] == shown)
    check("all ranks are listed", len(rows) == said["ranks"])
