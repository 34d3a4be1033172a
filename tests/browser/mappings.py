"""mappings.py ADDRESS MAP OWN OTHER: the page of a side-car whose runs, of the store
that two_builds (tests/bench) makes, are on a torus by the map file MAP. OWN, OTHER:
files of `forecast --json` of the same program there, by MAP and by another map file.
Each rank's cell is where its line in MAP says, and the two stand side by side as the
files say."""
import collections
import json
import math
import re
import sys

import rank_views
from browser import Browser

address, placed, *files = sys.argv[1:5]


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


def read(name):
    with open(name, encoding="utf-8") as said:
        return json.load(said)


def check_cells(browser):
    """Ranks of a plane are drawn by their last two coordinates, planes apart."""
    with open(placed, encoding="utf-8") as lines:
        at = [tuple(map(int, line.split()[:3])) for line in lines
              if not line.startswith("#")]
    browser.wait_for("view.load && view.load.ranks == %d" % len(at))
    cells = rank_views.rank_cells(browser)
    check("a cell for each of %d ranks" % len(at), len(cells) == len(at))
    planes = collections.defaultdict(set)
    for rank, (place, cell) in enumerate(zip(at, cells)):
        tip = cell["tip"]
        check("rank %d is at %s: %s" % (rank, place, tip), tip.startswith(
            "rank %d, at %d, %d, %d\n" % (rank, *place)))
        planes[place[0]].add((round(cell["x"] - cell["width"] * place[2]),
                              round(cell["y"] - cell["height"] * place[1])))
    corners = [corner for own in planes.values() for corner in own]
    check("a corner for each plane: %s" % corners,
          len(corners) == len(planes) == len(set(corners)) > 1)


def check_own(browser, own):
    points = {p["ranks"]: p["seconds"] for p in browser.value(
        "view.forecast.points")}
    check("there are some", own["points"])
    for p in own["points"]:
        check("%s at %d, %s" % (points.get(p["ranks"]), p["ranks"], p["seconds"]),
              math.isclose(points[p["ranks"]], p["seconds"], rel_tol=1e-9))


def check_links(browser, own):
    check("which links they are: %s" % own["links"],
          own["links"] is not None and
          browser.value("view.forecast.links") == own["links"] and
          "messages walked over the links of " + own["links"] in
          browser.value("document.getElementById('main').textContent"))


def check_side_by_side(browser, own, other):
    browser.choose_file("#compare-file", files[1])
    browser.wait_for("view.file && "
                     "document.getElementById('other-verdict') != null")
    said = browser.value("draw(), document.getElementById('other-verdict')"
                         ".innerText")
    check("whose it is: " + said, said.startswith(
        "Compared with %s, on the network %s: %s." % (
            files[1], other["network"], other["verdict"]["text"])))
    here, there = own["points"][-1], other["points"][-1]
    times = here["seconds"] / there["seconds"]
    check("the mapping tells: %s" % times, times < 0.998)
    found = re.search(r"forecast at (\d+) ranks, ([\d.]+) times", said)
    check("how much longer: " + said, found and int(found[1]) == there["ranks"] and
          abs(float(found[2]) - times) <= 0.0005)
    rows = browser.value("comparedRows('time').map(r => [r.kind, r.ranks, r.value, "
                         "r.low, r.high])")
    for p in other["points"]:
        check("%d ranks of the other are drawn: %s" % (p["ranks"], rows),
              ["compared, forecast"] + [p[k] for k in (
                  "ranks", "seconds", "low", "high")] in rows)
    if browser.value("hasCharts()"):
        lines = browser.value("[...document.querySelectorAll('#chart-time "
                              "[aria-description]')].map(m => m.ariaDescription)")
        check("both are in the chart: %s" % lines,
              {"forecast", "compared forecast"} <= set(lines))


with Browser(1280, 900) as browser:
    browser.open(address)
    browser.wait_for("document.querySelector('#programs a') != null")
    browser.value("document.querySelector('#programs a').click()")
    browser.wait_for("view.forecast && !view.forecast.walking && "
                     "document.getElementById('verdict') != null")
    own, other = map(read, files)
    check_cells(browser)
    check_own(browser, own)
    check_links(browser, own)
    check_side_by_side(browser, own, other)
    check("nothing failed: %s" % browser.errors, not browser.errors)
