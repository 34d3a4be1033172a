"""networks.py ADDRESS SIDES OWN: the page of a side-car whose runs, of the store that
two_builds (tests/bench) makes, fill the first nodes of a network. SIDES: of its
switches from the top and the nodes below, "8x4x4"; OWN: what `forecast --json` says of
the same program there. Ranks lie in its switches, and the times are the same."""
import collections
import json
import math
import sys

import rank_views
from browser import Browser

address, words, file = sys.argv[1:4]
sides = [int(side) for side in words.split("x")]


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


def place_of(rank):
    at = []
    for side in reversed(sides):
        at.insert(0, rank % side)
        rank //= side
    return at


def check_cells(browser):
    cells = rank_views.rank_cells(browser)
    check("a cell for each rank", len(cells) == browser.value("view.load.ranks"))
    rows = collections.defaultdict(set)
    for rank, cell in enumerate(cells):
        tip, at = cell["tip"], place_of(rank)
        check("rank %d is at %s: %s" % (rank, at, tip), tip.startswith(
            "rank %d, at %s\n" % (rank, ", ".join(map(str, at)))))
        rows[tuple(at[:-1])].add(round(cell["y"], 2))
    check("a row for each lowest switch: %s" % rows,
          all(len(row) == 1 for row in rows.values()))
    check("no two ranks in one place", len({(c["x"], c["y"]) for c in cells}) ==
          len(cells))


with open(file, encoding="utf-8") as said:
    own = json.load(said)
with Browser(1280, 900) as browser:
    browser.open(address)
    browser.wait_for("document.querySelector('#programs a') != null")
    browser.value("document.querySelector('#programs a').click()")
    browser.wait_for("view.forecast && !view.forecast.walking && view.load && "
                     "document.getElementById('load') != null")
    if browser.value("hasCharts()"):
        check_cells(browser)
    text = browser.value("document.getElementById('main').textContent")
    check("whose sides they are", words.replace("x", " x ") in text)
    links = browser.value("view.forecast.links")
    check("which links they are: %s" % links, links and
          "messages walked over the links of " + links in text)
    points = dict(map(tuple, browser.value(
        "view.forecast.points.map(p => [p.ranks, p.seconds])")))
    check("some are forecast", own["points"])
    for p in own["points"]:
        check("%s at %d, %s" % (points.get(p["ranks"]), p["ranks"], p["seconds"]),
              math.isclose(points[p["ranks"]], p["seconds"], rel_tol=1e-9))
    browser.resize(360, 780)
    check("no wider than a phone", browser.value(
        "document.documentElement.scrollWidth <= innerWidth"))
    browser.check_access(words)
    check("nothing failed: %s" % browser.errors, not browser.errors)
