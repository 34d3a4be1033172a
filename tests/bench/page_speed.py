"""page_speed.py BUILD MANY TWO: how soon the page can be used, and how soon it
answers, in a headless Chromium. MANY, TWO: stores of many_programs and
two_builds. Prints seconds until the list of MANY is there, and for each
interaction with the page of TWO the milliseconds from the event until the frame
after it is drawn: median and worst of 15; and what the page's thread itself works for
one, with all that follows it."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

build, many, two = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "browser"))
os.environ["RANKSIGHT_BUILD"] = build
from browser import Browser  # noqa: E402

LISTED = "document.querySelectorAll('#programs > li').length > 1"
SHOWN = ("view.forecast && !view.forecast.walking && view.timeline && view.load "
         "&& view.matrix")
TIMES = 15
# From an event that is dispatched until the frame after it stands.
MEASURED = """(async () => {
  const took = [];
  for (let i = 0; i < %d; ++i) {
    const begin = performance.now();
    %s;
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    took.push(performance.now() - begin);
  }
  window.took = took;
})(), 1"""
# The same until an answer of the side-car is shown, and back again.
ANSWERED = """(async () => {
  const took = [];
  const frame = () => new Promise(
    done => requestAnimationFrame(() => setTimeout(done)));
  for (let i = 0; i < %d; ++i) {
    const begin = performance.now();
    %s;
    while (!(%s)) await new Promise(done => setTimeout(done, 1));
    await frame();
    took.push(performance.now() - begin);
    %s;
    await new Promise(done => setTimeout(done, 1000));
  }
  window.took = took;
})(), 1"""
OPEN = "document.querySelectorAll('#programs a')[3 * i].click()"
CLOSE = "document.getElementById('all').click()"
COMPARE = "compareGroup(document.getElementById('compare').options[i + 2].value)"
# Each twice: what is known, and what the side-car says then.
OPENINGS = [
    ("a program opened from the list", OPEN,
     "document.getElementById('verdict')", CLOSE),
    ("its forecast", OPEN,
     "view.forecast && document.getElementById('verdict')", CLOSE)]
COMPARISONS = [
    ("another program beside it", COMPARE,
     "/^Compared/.test(document.getElementById('other').innerText)", ""),
    ("its forecast", COMPARE,
     "view.other && document.getElementById('other-verdict')", "")]
MATRIX = """(e => { e.value = e.options[i % e.options.length].value;
  e.dispatchEvent(new Event('change', {bubbles: true})); })(
  document.getElementById('matrix-ranks'))"""
# Both: what is said at once, and what the side-car says then.
MATRICES = [
    ("who sends to whom at another rank count", MATRIX,
     "document.getElementById('heaviest').textContent.startsWith('That on')", ""),
    ("its matrix", MATRIX, "view.matrix.ranks === view.matrixRanks", "")]
CLICK = "document.querySelector('%s').click()"
KEY = ("document.getElementById('timeline').dispatchEvent(new KeyboardEvent("
       "'keydown', {key: '%s', bubbles: true}))")
INPUT = """(e => { e.value = %s;
  e.dispatchEvent(new Event('input', {bubbles: true})); })(
  document.getElementById('%s'))"""
# As much as an answer may have: 1,000 calls of each of three ranks, all in sight; a
# matrix of 128 blocks where each sends to each; 4,096 cells of ranks; 400 call
# sites.
LARGE = """view.asking = {}, view.timeline = {...view.timeline,
  lanes: view.timeline.lanes.map(lane => {
    const events = Array.from({length: 1000},
                              (_, i) => lane.events[i % lane.events.length]);
    const sum = place => events.reduce((all, e) => all + e[place], 0);
    return {...lane, events, compute_ns: sum(2), call_ns: sum(3)};
  })},
view.matrix = {...view.matrix, ranks: 128, side: 128, block: 1, cells: Array.from(
  {length: 128 * 128}, (_, i) => [i >> 7, i & 127, 1 + i * 7919 % 65537, 3])},
view.load = {...view.load, layout: "plain", ranks: 4096, block: 1,
  rows: Array.from({length: 4096}, (_, i) => [1e6 + i * 7919 % 65537, 5e5, 1e5])},
view.forecast = {...view.forecast, sites: Array.from({length: 400}, (_, i) => ({
  ...view.forecast.sites[i % view.forecast.sites.length], site: "solver+" + i}))},
view.asTable = false, view.zoom = null, draw(), 1"""
# What an answer may bring: a run that goes on, and other times at every size and
# call site.
RUNNING = """view.state = {...view.state, live: [{
  state: 'receiving', program: 'solver', ranks: i, segments: i, bytes: i,
  heard_unix_ms: Date.now(), key: '', user: 'anna', job: 'job ' + i}]}"""
CHANGED = """view.forecast = JSON.parse(JSON.stringify(view.forecast), (key, value) =>
  ['seconds', 'a', 'b', 'compute_share'].includes(key) ? value * 1.001 : value)"""
INTERACTIONS = [
    ("another chart", CLICK % '[data-mode="\' + ["time", "cost"][i % 2] + \'"]'),
    ("ranks by the slider", INPUT % ("i % 7", "ranks")),
    ("a call's curve", CLICK % "[data-site]"),
    ("tree or table", CLICK % '[data-tree="\' + ["", "1"][i % 2] + \'"]'),
    ("filter", INPUT % ("['all', 'send'][i % 2]", "filter")),
    ("zoom", KEY % "' + '+-'[i % 2] + '"),
    ("calls as a table", CLICK % "[data-as-table]"),
    ("load by another time", CLICK % (
        '[data-load-kind="\' + ["calls", "compute"][i % 2] + \'"]')),
    ("ranks as a table", CLICK % "[data-load-table]"),
    ("an answer like the last", "draw()"),
    ("an answer with another run under way", RUNNING + "; draw()"),
    ("an answer with another forecast", CHANGED + "; draw()"),
]
# Of that much.
LARGE_INTERACTIONS = [
    ("zoom in 3,000 calls", KEY % "' + '+-'[i % 2] + '"),
    ("3,000 calls as a table", CLICK % "[data-as-table]"),
    ("load of 4,096 ranks by another time", CLICK % (
        '[data-load-kind="\' + ["calls", "compute"][i % 2] + \'"]')),
    ("4,096 ranks as a table", CLICK % "[data-load-table]"),
    ("400 call sites, ranks by the slider", INPUT % ("i % 7", "ranks")),
    ("400 call sites, filter", INPUT % ("['all', 'send'][i % 2]", "filter")),
    ("400 call sites, tree or table",
     CLICK % '[data-tree="\' + ["1", ""][i % 2] + \'"]'),
    ("an answer with another matrix, each to each",
     "view.matrix = {...view.matrix}; draw(); drawDeferred()"),
]


class Page:
    """The side-car of a store."""

    def __init__(self, store, folder):
        name = os.path.basename(store)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as err:
            self._server = subprocess.Popen(
                [build + "/bin/ranksight", "serve", "--store", store, "--listen",
                 "ipc://%s/%s.socket" % (folder, name), "--http",
                 "127.0.0.1:0"], stderr=err)
        self.address = None
        while not self.address:
            time.sleep(0.05)
            with open(os.path.join(folder, name), encoding="utf-8") as said:
                for line in said:
                    if "page at " in line:
                        self.address = line.split("page at ")[1].strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.terminate()
        self._server.wait()


def load():
    with open("/proc/loadavg", encoding="ascii") as said:
        return said.read().split()[0]


def thread_ms(browser):
    """Processor time of the page's thread so far, whatever else runs."""
    metrics = browser.tell("Performance.getMetrics")["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


def measure(browser, name, script):
    browser.value("window.took = null")
    before = thread_ms(browser)
    browser.value(script)
    browser.wait_for("window.took != null")
    worked = (thread_ms(browser) - before) / TIMES
    took = browser.value("took")
    print("%s: %.0f ms in the median, %.0f at worst, %.0f of the page's own "
          "processor time with all that follows (load %s)" % (
              name, statistics.median(took), max(took), worked, load()))


with tempfile.TemporaryDirectory() as folder, Browser(1280, 900) as browser:
    browser.tell("Performance.enable", timeDomain="threadTicks")
    with Page(many, folder) as page:
        listed = []
        for _ in range(5):
            start = time.monotonic()
            browser.open(page.address)
            while not browser.value(LISTED):
                pass
            listed.append(time.monotonic() - start)
        print("the list: %.2f s in the median of 5, %.2f at worst (load %s)" % (
            statistics.median(listed), max(listed), load()))
        for name, *how in OPENINGS:
            measure(browser, name, ANSWERED % (TIMES, *how))
        browser.value("document.querySelector('#programs a').click()")
        browser.wait_for("view.forecast && !view.forecast.walking && view.laws")
        for name, *how in COMPARISONS:
            measure(browser, name, ANSWERED % (TIMES, *how))
    with Page(two, folder) as page:
        browser.open(page.address)
        browser.wait_for(LISTED)
        browser.value("document.querySelector('#programs a').click()")
        browser.wait_for(SHOWN)
        for name, event in INTERACTIONS:
            measure(browser, name, MEASURED % (TIMES, event))
        for name, *how in MATRICES:
            measure(browser, name, ANSWERED % (TIMES, *how))
        browser.value(LARGE)
        for name, event in LARGE_INTERACTIONS:
            measure(browser, name, MEASURED % (TIMES, event))
