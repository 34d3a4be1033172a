"""page.py ADDRESS TRACE PROGRAM COMMAND...: the page of a side-car that has the
runs of PROGRAM on 3, 4 and 5 ranks, held against what the commands say;
COMMAND adds that on 6 ranks, while the page is open."""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

import rank_views
from browser import Browser

address, trace, program = sys.argv[1:4]
add_a_run = sys.argv[4:]
ranksight = os.environ["RANKSIGHT_BUILD"] + "/bin/ranksight"


def said(*command):
    return subprocess.run([ranksight, *command], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


MEASURED = """(charts => charts
  ? document.querySelectorAll(
      '#chart-time [aria-description=measured] circle').length
  : [...document.querySelectorAll('#chart-time td')].filter(
      c => c.textContent == 'measured').length)(hasCharts())"""
SECTIONS = "[...document.querySelectorAll('h2')].map(h => h.textContent)"
LAWS = "document.querySelectorAll('.scroll > div > code').length"
WIDER = "document.documentElement.scrollWidth > innerWidth"


# Text with less contrast to its ground than WCAG 2.1 AA asks of it (1.4.3).
PALE = """(() => {
  const parts = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => parts(c).slice(0, 3).map(v => (v /= 255) <= 0.03928
    ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if ((parts(c)[3] ?? 1) > 0) return c;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('body *')].filter(e =>
    [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()) &&
    e.checkVisibility() && !e.closest('option, title, style')).map(e => {
      const style = getComputedStyle(e);
      const color = e.closest('svg') && style.fill.startsWith('rgb')
        ? style.fill : style.color;
      const [a, b] = [light(color), light(ground(e))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), e.textContent];
    }).filter(([ratio]) => ratio < 4.5).map(String);
})()"""
NAMELESS = """[...document.querySelectorAll('button, input, select, svg')]
  .filter(e => !(e.textContent.trim() && e.tagName == 'BUTTON') &&
    !e.ariaLabel && !e.closest('label') && !e.closest('[role=img]'))
  .map(e => e.outerHTML)"""


def said_at_most_refused(*command):
    done = subprocess.run([ranksight, *command], text=True,
                          stdout=subprocess.PIPE)
    check("ranksight %s ended with %d" % (command[0], done.returncode),
          done.returncode <= 1)
    return done.stdout


# How far right the ideal line goes, cut off by the frame or not, and what is measured
# or forecast.
IDEAL_ENDS = """(right => [right('ideal'), Math.max(
  right('forecast'), ...[...document.querySelectorAll(
    '#chart-time [aria-description=measured] circle')].map(
    c => c.cx.baseVal.value))])(kind => {
  const box = document.querySelector(
    '#chart-time [aria-description=' + kind + '] path')?.getBBox();
  return box ? box.x + box.width : 0; })"""


def check_png(browser):
    """A picture twice as fine as the chart, with more than one colour on it."""
    browser.value("""saved.length = 0, URL.createObjectURL = blob => {
      if (blob.type !== 'image/png') return realUrl.call(URL, blob);
      createImageBitmap(blob).then(picture => {
        const {width, height} = picture;
        const canvas = new OffscreenCanvas(width, height).getContext('2d');
        canvas.drawImage(picture, 0, 0);
        const {data} = canvas.getImageData(0, 0, width, height);
        saved.push([width, height, new Set(new Uint32Array(data.buffer)).size]);
      });
      return '#'; }, document.querySelector('[data-save=PNG]').click(), 1""")
    browser.wait_for("saved.length == 1")
    width, height, colours = browser.value("saved[0]")
    check("a PNG of %d x %d, %d colours" % (width, height, colours), colours > 9 and
          [width, height] == browser.value("""(svg => [svg.width, svg.height].map(
            side => Math.floor(2 * side.baseVal.value)))(document.querySelector('#chart-time svg'))"""))


def check_charts(browser, forecast):
    """Each way to show it, its values and what can be taken away."""
    browser.value("window.saved = []; window.realUrl = URL.createObjectURL;"
                  "URL.createObjectURL = blob => {"
                  "blob.text().then(t => saved.push(t)); return '#'; }, 1")
    first = forecast["sizes"][0]
    for mode in ("speedup", "efficiency", "cost", "time"):
        browser.value("document.querySelector('[data-mode=%s]').click()" % mode)
        check("%s is drawn" % mode, browser.value(MEASURED) == 4)
        ideal, last = browser.value(IDEAL_ENDS)
        check("ideal goes to %s, %s is drawn to %s" % (ideal, mode, last),
              math.isclose(ideal, last, abs_tol=1.5))
        labels = browser.value("document.querySelector("
                               "'#chart-time svg').textContent")
        check("axes are named: " + labels, "ranks (log)" in labels and
              browser.value("modes.%s.axis" % mode) in labels)
        for save in ("CSV", "SVG"):
            browser.value("saved.length = 0, document.querySelector("
                          "'[data-save=%s]').click()" % save)
            browser.wait_for("saved.length == 1")
            text = browser.value("saved[0]")
            if save == "SVG":
                check("a drawing of its own", text.startswith("<svg") and
                      "var(--" not in text and "NaN" not in text)
                continue
            rows = list(csv.DictReader(io.StringIO(text)))
            weak = forecast["verdict"].get("scaling") == "weak"
            for s in forecast["sizes"]:
                t, n = s["seconds"], s["ranks"]
                more = n / first["ranks"]
                value = {
                    "time": t, "cost": t * n / 3600,
                    "speedup": first["seconds"] / t * (more if weak else 1),
                    "efficiency": 100 * first["seconds"] / t /
                                  (1 if weak else more)}[mode]
                check("%s of %d ranks" % (mode, n), any(
                    r["kind"] == "measured" and int(r["ranks"]) == n and
                    math.isclose(float(r["value"]), value, rel_tol=1e-9)
                    for r in rows))
    check_png(browser)
    # What stands beside the pointer says what was measured.
    def point():
        x, y = browser.value("""(() => {
          const all = document.querySelectorAll(
            '#chart-time [aria-description=measured] circle');
          const b = all[all.length - 1].getBoundingClientRect();
          return [b.x + b.width / 2, b.y + b.height / 2]; })()""")
        for away in (9, 0):
            browser.tell("Input.dispatchMouseEvent", type="mouseMoved",
                         x=x + away, y=y)
    browser.wait_for("/6 ranks.?measured/.test(document.querySelector("
                     "'#chart-time [aria-label=tip]').textContent)", point)


def at(model, ranks):
    return max(0, model["a"] + model["b"] * ranks ** model["power"] *
               math.log2(ranks) ** model["log_power"])


def check_spreads(browser, forecast):
    """How ranks differ is what `stats` says of the largest run."""
    stats = {(s["call"], s["site"]): s for s in json.loads(
        said("stats", "--json", "6.trace"))["sites"]}
    drawn = browser.value("[...document.querySelectorAll('#explore svg.spread')]"
                          ".map(s => s.ariaLabel)")
    check("spreads are drawn: %s" % drawn, len(drawn) > 1)
    for site in forecast["sites"]:
        over, own = site["over_ranks"], stats[site["call"], site["site"]]
        check("of the largest run", over["ranks"] == 6)
        parts = []
        for kind, name, words in (("compute", "compute_over_ranks", "before it"),
                                  ("in_call", "call_over_ranks", "in the call")):
            if kind not in over:
                continue
            for value in ("least", "mean", "most", "deviation"):
                check("%s %s" % (kind, value), math.isclose(
                    over[kind][value], own[name][value + "_ns"] * 1e-9,
                    rel_tol=1e-6, abs_tol=1e-15))
            parts.append("%s %s to %s, mean %s" % (words, *(browser.value(
                "seconds(%r)" % over[kind][value])
                for value in ("least", "most", "mean"))))
        text = "; ".join(parts)
        most = max(over[k]["most"] for k in ("compute", "in_call") if k in over)
        check("%s: %s" % (site["call"], text), most == 0 or text in drawn)


def check_call_sites(browser, forecast):
    """By keyboard, to fewer ranks: the table is what the laws say there."""
    browser.value("document.getElementById('ranks').focus()")
    before = browser.value("document.getElementById('ranks-chosen').textContent")
    browser.press("ArrowLeft")
    browser.wait_for("document.getElementById('ranks-chosen').textContent != "
                     "'%s'" % before)
    ranks = int(browser.value(
        "document.getElementById('ranks-chosen').textContent"))
    sums = sorted(((at(s["compute"], ranks) + at(s["in_call"], ranks), s["call"])
                   for s in forecast["sites"]), reverse=True)
    whole = sum(s for s, _ in sums)
    shown = browser.value(
        "[...document.querySelectorAll('#explore tbody tr')].map("
        "r => [...r.cells].slice(0, 2).map(c => c.textContent))")
    check("all call sites are listed", len(shown) == len(sums))
    for (seconds, call), (name, share) in zip(sums, shown):
        check("%s takes %s at %d" % (name, share, ranks), math.isclose(
            float(share.split()[0]), 100 * seconds / whole, abs_tol=0.06))
    check_spreads(browser, forecast)
    browser.value("document.querySelector('#explore [data-site]').focus()")
    browser.press("Enter")
    browser.wait_for("document.querySelector('#explore [aria-expanded=true]')"
                     " != null")


SITE_LAWS = "document.getElementById('site-laws').innerText"


def check_laws_named(browser, forecast):
    """Laws have the names of their call sites, and a call that is opened its own."""
    laws = browser.value("view.laws.laws")
    if not laws:
        check("why there are none: " + browser.value(SITE_LAWS),
              "Not known:" in browser.value(SITE_LAWS))
        return
    shown = browser.value("""[...document.querySelectorAll('section:last-child '
      + '.scroll > div > code')].map(c => c.textContent)""")
    check("each law is shown", len(shown) == len(laws))
    check("by a name: %s" % shown, not any("+0x" in law for law in shown) and
          any(" at main wavefront.c:" in law for law in shown))
    opened = browser.value("view.site")
    call, site = opened.split(" ", 1)
    own = [law.split(": ", 1)[1] for law in laws
           if law.startswith(("%s at %s: " % (call, site),
                              "%s at %s: " % (call, site.split(" < ")[0])))]
    said = browser.value(SITE_LAWS)
    check("its laws: " + said, own and "Exact:" in said and
          all(" ".join(law.split()) in " ".join(said.split()) for law in own))


def cells_of(trace):
    said("matrix", trace, "-o", "matrix.csv")
    with open("matrix.csv", encoding="utf-8") as file:
        return sorted([int(r[k]) for k in ("from", "to", "bytes", "messages")]
                      for r in csv.DictReader(file))


def check_matrix_sizes(browser):
    """Of a smaller run, and of as many ranks as nobody ran."""
    def choose(ranks):
        browser.value("""(choice => {
          choice.value = '%d';
          choice.dispatchEvent(new Event('change', {bubbles: true}));
        })(document.getElementById('matrix-ranks'))""" % ranks)
        browser.wait_for("view.matrix && view.matrix.ranks == %d" % ranks)
        browser.value("draw(), 1")
        check("the section says so", any(
            t == "Who sends to whom, %d ranks" % ranks
            for t in browser.value(SECTIONS)))
    choose(4)
    check("as was measured", sorted(browser.value("view.matrix.cells")) ==
          cells_of("4.trace"))
    made = int(browser.value("""[...document.getElementById('matrix-ranks')
      .options].find(o => o.textContent.endsWith('(by laws)') &&
                     o.value > 6).value"""))
    done = subprocess.run(
        [ranksight, "extrapolate", *("%d.trace" % n for n in (3, 4, 5, 6)),
         "--ranks", str(made), "--exact", "-o", "made.trace"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    choose(made)
    if done.returncode == 0:
        check("as laws say", sorted(browser.value("view.matrix.cells")) ==
              cells_of("made.trace"))
    else:
        check("why not", browser.value("view.matrix.refused"))
    check("the address says it", "matrix=%d" % made in browser.value(
        "location.hash"))
    browser.check_access("another matrix")
    choose(6)


NODES = """[...document.querySelectorAll('#explore details')].map(d =>
  [d.dataset.fold, d.querySelector('.number').textContent,
   d.parentElement.closest('details')?.dataset.fold || ''])"""


def check_tree(browser, forecast):
    """Each frame has the sum of what the laws say of the calls below it."""
    browser.value("document.querySelector('[data-tree=\"1\"]').click()")
    ranks = int(browser.value(
        "document.getElementById('ranks-chosen').textContent"))
    taken = [(s["path"], at(s["compute"], ranks) + at(s["in_call"], ranks))
             for s in forecast["sites"]]
    whole = sum(seconds for _, seconds in taken)
    nodes = browser.value(NODES)
    check("there is a tree", nodes)
    check("main is on the way", any("wavefront" in fold or "main" in fold
                                    for fold, _, _ in nodes))
    shares = {}
    for fold, share, parent in nodes:
        frames = fold.split("\n")[1:]
        below = sum(seconds for path, seconds in taken
                    if path[:len(frames)] == frames)
        check("%s has %s at %d" % (fold, share, ranks), math.isclose(
            float(share.split()[0]), 100 * below / whole, abs_tol=0.06))
        check("most time comes first",
              shares.setdefault(parent, 100.1) >= below / whole - 1e-9)
        shares[parent] = below / whole
    check("all calls stand in it", browser.value(
        "document.querySelectorAll('#explore [data-site]').length") ==
        len(taken))
    first = "document.querySelector('#explore details')"
    browser.check_access("the tree")
    browser.value(first + ".querySelector('summary').focus()")
    for name, is_open in (("ArrowLeft", "false"), ("ArrowRight", "true"),
                          ("Enter", "false")):
        browser.value("draw(), 1")  # an answer that comes in takes no focus
        browser.press(name)
        browser.wait_for("%s.open == %s" % (first, is_open))
    browser.value("draw(), 1")
    check("what is folded stays so", not browser.value(first + ".open"))
    sought = forecast["sites"][0]["call"]
    browser.value("""(box => {
      box.focus();
      box.value = %s;
      box.dispatchEvent(new Event('input', {bubbles: true}));
    })(document.getElementById('filter'))""" % json.dumps(sought.lower()))
    calls = browser.value("[...document.querySelectorAll("
                          "'#explore [data-site]')].map(b => b.textContent)")
    check("%s is filtered: %s" % (sought, calls), calls and all(
        sought in c for c in calls) and len(calls) == sum(
            sought in s["call"] for s in forecast["sites"]))


def check_link(browser):
    """The address alone brings back what was looked at, and has no token."""
    link = browser.value("location.href")
    check("no token in a link", "token" not in link)
    seen = ("[view.mode, chosenRanks(view.forecast), view.site, view.tree, "
            "view.filter, view.zoom.map(Math.round), view.asTable, "
            "view.loadKind, view.loadTable, view.matrixRanks].join()")
    what = browser.value(seen)
    browser.open(link)
    # Laws come last: all that is checked below is there.
    browser.wait_for("view.forecast != null && view.laws != null")
    check("a link brings back %s" % what, browser.value(seen) == what)


# Marks all that is drawn; what a change has done to it is then told by the
# sections, and by the charts, that are there without a mark. How long ago somebody
# was heard changes by itself.
MARK = """document.querySelectorAll('#main *').forEach(e => e.marked = true), 1"""
NEW = """[[...document.querySelectorAll('#main > *')].filter(e => !e.marked).map(
  e => e.querySelector('h2')?.textContent || e.id).filter(
  name => name != 'Programs connected now'),
  [...document.querySelectorAll('#main svg[aria-label]')].filter(
    e => !e.marked && !e.closest('.spread')).map(e => e.ariaLabel)]"""
# Until an answer was shown that says what the one before said.
ASK_AGAIN = """window.again = null, refresh(true).then(() => {
  window.again = true; }), 1"""


def check_kept(browser, forecast):
    """What did not change stays, to the last mark of a chart; what did is drawn
    as it is now, wherever it stood."""
    charts = browser.value("hasCharts()")
    browser.wait_for("!view.forecast.walking && view.load && view.laws")
    browser.value("draw(), 1")
    browser.value(MARK)
    browser.value(ASK_AGAIN)
    browser.wait_for("again")
    new = browser.value(NEW)
    check("of an equal answer nothing is new: %s" % new, new == [[], []])
    # Other shares: a chart, and nothing that says them in words. No answer comes
    # in between.
    browser.value("""view.asking = {}, view.real = view.forecast, view.forecast = {...view.real,
      points: view.real.points.map(p => ({...p, compute_share: 0.5,
                                          call_share: 0.5}))}, draw(), 1""")
    browser.value("1")  # charts come behind
    sections, drawn = browser.value(NEW)
    check("no section is new: %s" % sections, not sections)
    wanted = ["run time over ranks"] + (["shares of computation and calls"]
        if sum(not p["refused"] for p in forecast["points"]) > 1 else [])
    check("its charts are: %s" % drawn, not charts or set(wanted) <= set(drawn))
    check("and not those of ranks: %s" % drawn, not any(
        name.startswith(("timeline of", "communication matrix"))
        for name in drawn))
    # Another time of a measured size: its chart and its tile, and the calls' section
    # only where it says what the run took.
    browser.value("view.forecast = view.real, draw(), 1")
    browser.value("1")
    browser.value(MARK)
    browser.value("""view.forecast = {...view.real, sizes: view.real.sizes.map(
      s => ({...s, seconds: 7.25 * s.seconds}))}, draw(), 1""")
    sections, drawn = browser.value(NEW)
    check("the forecast is new: %s" % sections, "Forecast" in sections)
    says_so = "the run took" in browser.value(
        "document.getElementById('sought').innerText")
    check("calls are not: %s" % sections, ("Call sites" in sections) == says_so and
          "Scaling" not in sections)
    check("its chart is: %s" % drawn, not charts or "run time over ranks" in drawn)
    last = forecast["sizes"][-1]
    check("as it is now", browser.value("seconds(%r)" % (7.25 * last["seconds"]))
          in browser.value("document.querySelector('.tile').textContent"))
    browser.value("view.forecast = view.real, view.asking = null, draw(), 1")


def check_matrix(cells):
    """One cell for each pair that the command lists, with its messages."""
    shown = {}
    for tip in cells:
        found = re.match(r"from (\d+) to (\d+)\n.* in (\d+) messages", tip)
        check("a cell says who sends to whom: " + tip, found)
        shown[found[1], found[2]] = found[3]
    rows = csv.DictReader(io.StringIO(said("matrix", trace)))
    listed = {(r["from"], r["to"]): r["messages"] for r in rows}
    check("the matrix is the command's: %s, %s" % (shown, listed),
          shown == listed and shown)


# Laws of the group that was left come after those of the one that was chosen,
# and a forecast fails: what is shown then, and whether it is asked for again. Of
# real groups real answers come in meanwhile.
LATE = """(async () => {
  const real = ask, seen = {};
  let late;
  ask = async what => {
    if (!/group=(old|new)$/.test(what)) return real(what);
    if (!what.startsWith('api/laws')) return {runs: []};
    return what.endsWith('old') ? new Promise(answer => { late = answer; })
                                : {laws: ['new']};
  };
  const meanwhile = refresh(true);
  const old = refreshSlow({id: 'old', runs: 1});
  while (!late) await new Promise(done => setTimeout(done, 1));
  await meanwhile;
  await refreshSlow({id: 'new', runs: 1});
  late({laws: ['old']});
  await old;
  seen.laws = view.laws.laws[0];
  const version = view.version;
  ask = async what => {
    if (what.startsWith('api/forecast')) throw Error('busy');
    return {...view.state, version: version + 1};
  };
  await refresh(true);
  seen.asked_again = view.version === version;
  ask = real;
  view.slow = null;
  await refresh(true);
  window.seen = seen;
})()"""

# Slow answers fail, each once and laws twice, and one is refused: how long it
# is waited each time, and how often each was asked for. Pauses are noted and
# not made.
FAILING = """(async () => {
  const real = {fetch: fetch.bind(window), setTimeout: setTimeout.bind(window)};
  const left = {runs: 1, matrix: 1, timeline: 1, laws: 2};
  const seen = window.failing = {asked: {}, pauses: []};
  window.setTimeout = (what, ms) => {
    if (ms >= 1000) seen.pauses.push(ms);
    return real.setTimeout(what, ms >= 1000 ? 0 : ms);
  };
  window.fetch = async (what, how) => {
    const [, name] = /^api.([a-z]*)/.exec(what);
    seen.asked[name] = (seen.asked[name] || 0) + 1;
    if (name === 'load') return new Response('none', {status: 404});
    if (left[name]-- > 0) {
      if (name === 'timeline') throw TypeError('the network is gone');
      return new Response('busy', {status: 503});
    }
    return real.fetch(what, how);
  };
  const group = view.state.groups.find(g => g.id === view.group);
  view.matrix = view.timeline = view.laws = view.slow = null;
  await refreshSlow(group);
  Object.assign(window, real);
  seen.came = !!(view.matrix && view.timeline && view.laws &&
                 view.laws.refused !== 'busy' && !view.load);
  seen.ended = true;
  view.slow = null;
  await refresh(true);
})(), 1"""


def check_failing(browser):
    browser.value(FAILING)
    browser.wait_for("failing.ended")
    check("what failed came when it was asked for again",
          browser.value("failing.came"))
    check("after pauses that grow", browser.value("failing.pauses") ==
          [1000, 2000, 4000])
    asked = browser.value("failing.asked")
    check("only what failed is asked for again: %s" % asked, asked["load"] == 1
          and asked["matrix"] == asked["timeline"] == 2 and asked["laws"] == 3)
    browser.wait_for("view.load != null")


with Browser() as browser:
    browser.open(address.split("#")[0])
    browser.wait_for("document.body.innerText.includes('carries the token')")
    browser.errors.clear()  # the refusal is one
    browser.open(address)
    browser.wait_for(MEASURED + " == 3")
    browser.wait_for(LAWS + " > 0")
    check("three runs",
          "3 runs stored; since the start 0 segments" in browser.value(
              "document.getElementById('status').textContent"))
    has_charts = browser.value("hasCharts()")  # no: built without npm
    if has_charts:
        check_matrix([piece["tip"] for piece in
                      browser.pieces("#chart-matrix", "pairs")])
    subprocess.run(add_a_run, check=True, stdout=subprocess.DEVNULL)
    browser.wait_for(MEASURED + " == 4")
    browser.wait_for(SECTIONS + ".some(t => t.endsWith(', 6 ranks'))")
    browser.wait_for(
        "document.querySelector('.tile').innerText.startsWith('6 ranks')")
    sections = browser.value(SECTIONS)
    for title in ("Scaling", "Forecast", "Call sites", "Call sites that grow",
                  "Where the time goes", "One iteration, 6 ranks",
                  "What each rank does, 6 ranks", "Programs connected now",
                  "Laws of the structure"):
        check("a section " + title, title in sections)
    told = "stored %s on 6 ranks" % program
    check("the run is told there",
          told in browser.value("document.querySelector('#notices').innerText"))
    check("and in the line that is read out", told in browser.value(
        "document.querySelector('#status[role=status]').textContent"))
    check("the program's name is text",
          browser.value("document.title") == "Ranksight" and
          browser.value("document.images.length") == 0 and
          program in browser.value("document.getElementById('group').innerText"))
    browser.value(LATE + ", 1")
    browser.wait_for("window.seen")
    check("the laws are of the group that was chosen",
          browser.value("seen.laws") == "new")
    check("a forecast that failed is asked for again",
          browser.value("seen.asked_again"))
    check_failing(browser)
    # The real answer, after those that were made up: laws, or why there are none.
    browser.wait_for("view.laws && (view.laws.refused || "
                     "view.laws.laws[0] != 'new')")
    forecast = json.loads(said_at_most_refused(
        "forecast", "--store", "store", "--program", program, "--json",
        "--ranks", ",".join(map(str, browser.value(
            "view.forecast.points.map(p => p.ranks)")))))
    # Where the walks had not ended when it asked, it says so much.
    browser.value("window.asking = setInterval(() => refresh(true), 2000)")
    browser.wait_for("document.getElementById('verdict').textContent == " +
                     json.dumps(forecast["verdict"]["text"] + "."))
    browser.value("clearInterval(asking)")
    check_kept(browser, forecast)
    if has_charts:
        check_charts(browser, forecast)
    check_call_sites(browser, forecast)
    check_laws_named(browser, forecast)
    check_matrix_sizes(browser)
    check_tree(browser, forecast)
    of_run = {what: json.loads(said(*command, "--json", "6.trace"))
              for what, command in (("timeline", ("show", "--timeline")),
                                    ("load", ("stats", "--by-rank")))}
    rank_views.check_timeline(browser, of_run["timeline"])
    rank_views.check_load(browser, of_run["load"])
    check_link(browser)
    for scheme in ("light", "dark"):
        browser.tell("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        pale = browser.value(PALE)
        check("text stands out, %s: %s" % (scheme, pale), not pale)
        browser.check_access("the page, " + scheme)
    check("each control says what it is", not browser.value(NAMELESS))
    for width in (2560, 1280, 600):
        browser.resize(width, 800)
        check("it fits %d" % width, not browser.value(WIDER))
    browser.resize(360, 800)
    check("it fits a narrow window", not browser.value(WIDER))
    check("nothing failed: %s" % browser.errors, not browser.errors)
    own = address.split("#")[0]
    foreign = [a for a in browser.asked
               if not a.startswith((own, "blob:" + own, "about:", "data:"))]
    check("nobody else is asked: %s" % foreign, not foreign)
