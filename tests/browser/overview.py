"""overview.py ADDRESS: the page of a side-car that has many programs
(many_programs, tests/bench), as somebody goes through it who looks for one.
Prints what was transferred until it was shown, and how long that took."""
import json
import re
import sys
import time

from browser import Browser

address = sys.argv[1]
MOST_BYTES = 400_000
SHOWN = "document.querySelectorAll('#programs > li:not([hidden])').length"
FOUND = "document.getElementById('found').textContent"
DRAWN = "document.querySelectorAll('#programs .small-chart svg').length"
PLAIN = "[...document.querySelectorAll('#programs > li')].map(r => r.innerText)"


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


def search(browser, text):
    browser.value("""(box => {
      box.focus();
      box.value = %s;
      box.dispatchEvent(new Event('input', {bubbles: true}));
    })(document.getElementById('search'))""" % json.dumps(text))


# Nobody answers, until the page is loaded again.
NO_ANSWER = "window.fetch = () => new Promise(() => {}), 1"
MAIN = "document.getElementById('main').innerText"


def check_at_once(browser, programs):
    """What the list says is said of a program as soon as it is opened, or put
    beside another, however long its forecast takes."""
    browser.value(NO_ANSWER)
    link = "#programs a[href='#group=%s']"
    opened, other = programs[3], programs[4]
    browser.click(link % opened["id"])
    browser.wait_for("document.getElementById('verdict') != null")
    text = browser.value(MAIN)
    # Many have the same verdict.
    check("whose: " + text, opened["program"] in text)
    check("the verdict of the list: " + text, opened["verdict"] in text)
    check("and how it was found", ("(by laws)" in text) == opened["by_laws"])
    for ranks, _ in opened["sizes"]:
        check("%d ranks are measured: %s" % (ranks, text),
              re.search(r"^%d\b" % ranks, text, re.M))
    check("that there is more to come", "forecast is being asked for" in text)
    browser.value("document.getElementById('all').click()")
    browser.wait_for(SHOWN + " == %d" % len(programs))
    browser.open(address)
    browser.wait_for(SHOWN + " == %d" % len(programs))
    browser.click(link % opened["id"])
    browser.wait_for("view.forecast && document.getElementById('other') != null")
    check("what was opened is shown", browser.value("view.forecast.program") ==
          opened["program"])
    browser.value(NO_ANSWER)
    browser.value("""(choice => {
      choice.value = %s;
      choice.dispatchEvent(new Event('change', {bubbles: true}));
    })(document.getElementById('compare'))""" % json.dumps(other["id"]))
    text = browser.value("document.getElementById('other').innerText")
    check("the other's verdict: " + text,
          other["program"] in text and other["verdict"] in text)
    browser.open(address)
    browser.wait_for(SHOWN + " == %d" % len(programs))


# Answers are noted, and the first forecast fails.
ONE_FAILS = """window.askedFor = [], window.fetch = ((real, left) => async (what, how) => {
  askedFor.push(what);
  if (what.startsWith('api/forecast') && left-- > 0) {
    return new Response('busy', {status: 503});
  }
  return real(what, how);
})(window.fetch, 1), 1"""


def check_opening(browser, programs):
    """Who opens a program waits for its forecast alone; one that fails is asked
    for again. Who comes back finds the small charts of the others that were there:
    that of the program itself may say more now."""
    chart = ("document.querySelector('#programs > li:has(a[href=\"#group=%s\"]) svg')"
             % programs[1]["id"])
    browser.wait_for("!hasCharts() || %s != null" % chart)
    browser.value("window.secondChart = %s, 1" % chart)
    browser.value(ONE_FAILS)
    wanted = "api/forecast?group=" + programs[0]["id"]
    browser.click("#programs a[href='#group=%s']" % programs[0]["id"])
    browser.wait_for("view.forecast != null")
    check("what was opened is shown", browser.value("view.forecast.program") ==
          programs[0]["program"])
    asked = browser.value("askedFor.filter(a => !a.includes('since='))")
    check("the forecast comes first: %s" % asked, asked[0] == wanted)
    check("and again: %s" % asked, wanted in asked[1:])
    browser.value("document.getElementById('all').click()")
    browser.wait_for(SHOWN + " == %d" % len(programs))
    stamp = json.dumps(browser.value("view.overview.stamp"))
    # Walked now, it may be listed again.
    browser.wait_for("view.overview.stamp != %s || performance.now() > %f" % (
        stamp, browser.value("performance.now()") + 5000))
    browser.wait_for("!hasCharts() || %s === secondChart" % chart)
    browser.open(address)
    browser.wait_for(SHOWN + " == %d" % len(programs))


# Of the chart: kind, ranks and value of what is drawn of the other program.
COMPARED = """comparedRows('time').map(r => [r.kind, r.ranks, r.seconds])"""
SQUARES = """document.querySelectorAll(
  '#chart-time [aria-description="compared measured"] path').length"""


# Entries of the chart's legend that lie on one another.
CROWDED = """(entries => entries.flatMap((a, i) => entries.slice(i + 1).filter(b => {
    const [p, q] = [a, b].map(e => e.getBoundingClientRect());
    return p.left < q.right && q.left < p.right && p.top < q.bottom - 2 &&
      q.top < p.bottom - 2;
  }).map(b => a.textContent + ' and ' + b.textContent)))(
  [...document.querySelectorAll('#chart-time [aria-description=legend] text')])"""


def check_comparison(browser, programs):
    """Another program beside it, and a link to that."""
    other = programs[0]
    browser.value("""(choice => {
      choice.value = %s;
      choice.dispatchEvent(new Event('change', {bubbles: true}));
    })(document.getElementById('compare'))""" % json.dumps(other["id"]))
    browser.wait_for("document.getElementById('other-verdict') != null")
    text = browser.value("document.getElementById('other-verdict').innerText")
    check("whom it is compared with: " + text, other["program"] in text and
          browser.value("view.other.verdict.text") in text)
    rows = browser.value(COMPARED)
    for ranks, seconds in other["sizes"]:
        check("%d ranks of the other" % ranks,
              ["compared, measured", ranks, seconds] in rows)
    if browser.value("hasCharts()"):
        check("they are drawn", browser.value(SQUARES) == len(other["sizes"]))
        check("and named", "compared" in browser.value(
            "document.querySelector('#chart-time svg').textContent"))
    browser.check_access("a comparison")
    for width in (360, 1280):
        browser.resize(width, 900)
        check("a comparison fits %d" % width, not browser.value(
            "document.documentElement.scrollWidth > innerWidth"))
        browser.value("drawCharts(), 1")
        crowded = browser.value(CROWDED)
        check("a legend can be read at %d: %s" % (width, crowded), not crowded)
        check("there is one", not browser.value("hasCharts()") or browser.value(
            "document.querySelectorAll('#chart-time [aria-description=legend]').length"
            ) > 4)
    link = browser.value("location.href")
    check("it is in the link", "compare=" + other["id"] in link)
    browser.value("location.replace(location.href.replace(/&compare=[^&]*/, ''))")
    browser.wait_for("view.asking == null && view.forecast && !view.other")
    browser.value("location.replace(%s)" % json.dumps(link))
    browser.wait_for("view.other != null")
    check("and comes back", browser.value("view.other.program") ==
          other["program"])


with Browser(1280, 900) as browser:
    start = time.monotonic()
    browser.open(address)
    browser.wait_for(SHOWN + " > 1 && (!hasCharts() || " + DRAWN + " > 1)")
    took = time.monotonic() - start
    print("%d bytes in %d answers, shown after %.2f s" % (
        sum(browser.received.values()), len(browser.received), took))
    check("few bytes", sum(browser.received.values()) < MOST_BYTES)
    programs = browser.value("view.overview.programs")
    check("all are listed", browser.value(SHOWN) == len(programs))
    check("nothing is listed twice",
          len({p["id"] for p in programs}) == len(programs))
    for text, p in zip(browser.value(PLAIN), programs):
        check("%s has its verdict" % text, p["verdict"] in text)
        check("%s has its last run" % text,
              "%d ranks, %s" % (p["last_ranks"], p["last_launch"]) in text)
        check("%s says what drifts" % text,
              ("times as long" in text) == (p["drift"] is not None))
    times = [p["last_unix_ms"] for p in programs]
    check("the last run comes first", times == sorted(times, reverse=True))
    check("far rows are not drawn", browser.value(DRAWN) < len(programs))

    browser.check_access("the list")
    check_at_once(browser, programs)
    check_opening(browser, programs)

    name = programs[-1]["program"]
    search(browser, name.upper() + " slurm")
    check("one is found", browser.value(SHOWN) == 1)
    check("it is said", browser.value(FOUND) ==
          "1 of %d programs" % len(programs))
    link = browser.value("location.href")
    check("no token in a link", "token" not in link)
    browser.value("window.kept = document.getElementById('search')")
    browser.value("view.version = 0, refresh(true), 1")
    browser.wait_for("view.asking == null")
    check("the box stays while somebody writes",
          browser.value("kept === document.activeElement"))
    browser.open(link)
    browser.wait_for(SHOWN + " == 1")
    check("a link brings back what was looked for",
          browser.value("document.getElementById('search').value") ==
          name.upper() + " slurm")

    browser.value("document.querySelector('#programs > li:not([hidden]) a')"
                  ".click()")
    browser.wait_for("view.forecast && "
                     "document.getElementById('verdict') != null")
    check("a click opens it", browser.value("view.forecast.program") == name)
    check("and says so in the address", programs[-1]["id"] in
          browser.value("location.hash"))
    check_comparison(browser, programs)
    browser.value("history.back()")
    browser.wait_for(SHOWN + " == 1")
    browser.value("history.forward()")
    browser.wait_for("document.getElementById('verdict') != null")
    browser.value("document.getElementById('all').click()")
    browser.wait_for(SHOWN + " == %d" % len(programs))
    for width in (2560, 600, 360):
        browser.resize(width, 800)
        check("it fits %d" % width, not browser.value(
            "document.documentElement.scrollWidth > innerWidth"))
    check("nothing failed: %s" % browser.errors, not browser.errors)
