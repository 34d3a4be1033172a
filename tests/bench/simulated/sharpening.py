#!/usr/bin/env python3
"""sharpening.py BUILD OUT.svg LEAST TRACE...: what is forecast of the rank counts
of all the traces from the first LEAST of them, and with each one that comes
next, up to the middle; as charts beside each other on the same axes, the runs
that a forecast does not know hollow."""
import json
import math
import subprocess
import sys

build, out = sys.argv[1:3]
least, traces = int(sys.argv[3]), sys.argv[4:]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 250, 300, 66, 12, 34, 44


def said(*command):
    # Exit 1 says that every point is refused.
    done = subprocess.run([build + "/bin/ranksight", *command, "--json"],
                          text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def measured(trace):
    shown = said("show", trace)
    return shown["ranks"], shown["elapsed_ns"]["max"] / 1e9


runs = [measured(trace) for trace in traces]
wanted = ",".join(str(ranks) for ranks, _ in runs)
steps = []
for known in range(least, least + 3):
    forecast = said("forecast", *traces[:known], "--ranks", wanted)
    steps.append((known, [p for p in forecast["points"] if not p["refused"]]))

times = [s for _, s in runs] + [p[k] for _, points in steps for p in points
                                for k in ("low", "high")]
x_range = runs[0][0], runs[-1][0]
y_range = min(times) * 0.8, max(times) * 1.2


def scale(value, limits, low, high):
    share = math.log(value / limits[0]) / math.log(limits[1] / limits[0])
    return low + (high - low) * share


def x(ranks):
    return scale(ranks, x_range, 14, WIDTH - 14)


def y(seconds):
    return scale(seconds, y_range, HEIGHT - BOTTOM, TOP)


def line(points):
    return " ".join("%.1f,%.1f" % p for p in points)


def label(seconds):
    return "%g ms" % (seconds * 1e3) if seconds < 1 else "%g s" % seconds


def ticks():
    close = y_range[1] / y_range[0] < 5
    for exponent in range(-9, 6):
        for digit in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7) if close else (1, 2, 5):
            tick = digit * 10.0 ** exponent
            if y_range[0] <= tick <= y_range[1]:
                yield tick


def panel(number, known, points):
    svg = ['<g transform="translate(%d,0)">' % (LEFT + number * WIDTH)]
    svg.append('<text x="14" y="20" class="title">after runs on %s ranks</text>'
               % ", ".join(str(n) for n, _ in runs[:known]))
    for tick in ticks():
        svg.append('<line x1="8" x2="%d" y1="%.1f" y2="%.1f"/>' %
                   (WIDTH - 8, y(tick), y(tick)))
    for ranks, _ in runs:
        svg.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' %
                   (x(ranks), HEIGHT - BOTTOM + 18, ranks))
    band = [(x(p["ranks"]), y(p["high"])) for p in points]
    band += [(x(p["ranks"]), y(p["low"])) for p in reversed(points)]
    svg.append('<polygon points="%s"/>' % line(band))
    svg.append('<polyline points="%s"/>' % line(
        (x(p["ranks"]), y(p["seconds"])) for p in points))
    for i, (ranks, seconds) in enumerate(runs):
        svg.append('<circle cx="%.1f" cy="%.1f" r="4"%s/>' % (
            x(ranks), y(seconds), "" if i < known else ' class="later"'))
    last = points[-1]["ranks"] if points else 0
    if last < runs[-1][0]:
        svg.append('<text x="%d" y="%d" text-anchor="end">refused beyond %d'
                   '</text>' % (WIDTH - 14, TOP + 14, last))
    return svg + ["</g>"]


width = LEFT + 3 * WIDTH + RIGHT
svg = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
       'font-family="system-ui, sans-serif" font-size="12">' % (width, HEIGHT),
       "<style>text{fill:#6b6a65}.title{fill:#1d1c1a;font-weight:600}"
       "line{stroke:#ecebe7}polygon{fill:#2a78d6;fill-opacity:.17}"
       "polyline{fill:none;stroke:#2a78d6;stroke-width:2}"
       "circle{fill:#1d1c1a;stroke:#1d1c1a;stroke-width:1.5}"
       ".later{fill:#fff}</style>",
       '<rect width="%d" height="%d" fill="#fff"/>' % (width, HEIGHT)]
svg.append('<text x="4" y="20">time (log)</text>')
for tick in ticks():
    svg.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (
        LEFT, y(tick) + 4, label(tick)))
for number, (known, points) in enumerate(steps):
    svg += panel(number, known, points)
svg.append('<text x="%d" y="%d" text-anchor="end">ranks (log); blue: forecast and 90 '
           "%% interval; dots: runs it knows; circles: runs made afterwards"
           "</text></svg>" % (width - 14, HEIGHT - 8))
with open(out, "w", encoding="utf-8") as file:
    file.write("\n".join(svg) + "\n")
