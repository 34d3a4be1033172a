"""report.py FILE: the report of `study`, from disk and alone; and on paper."""
import base64
import os
import re
import sys

from browser import Browser

# CSS pixels of an A4 sheet without the margins of 12 mm that the style asks
# for; points of the whole.
SHEET_PX = round((210 - 2 * 12) / 25.4 * 96)
SHEET_POINTS = (595, 842)


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


def check_facts(browser):
    """What it says of how it was made."""
    facts = dict(browser.value("view.facts"))
    shown = browser.value("document.body.innerText")
    for name in ("runs made", "program", "command", "written on", "by",
                 "runs used", "settings"):
        check("it says " + name, facts.get(name) and facts[name] in shown)
    check("when: " + facts["runs made"],
          re.match(r"20\d\d-\d\d-\d\d ", facts["runs made"]))
    check("where", facts["written on"] == os.uname().nodename)
    check("the command: " + facts["command"], facts["command"].startswith(
        "ranksight study --ranks 3,4,5 --forecast 8 "))
    check("runs: " + facts["runs used"], facts["runs used"] ==
          "1 run on 3 ranks, 1 run on 4 ranks, 1 run on 5 ranks")
    check("which version", re.match(r"ranksight \d", facts["by"]))
    crowded = browser.value("view.warning")
    check("the warning is shown: " + crowded, ("ranks shared cores" in shown) ==
          bool(crowded))
    # The clock was chosen (e2e/lib.sh), so shared cores are warned of.
    check("cores are shared: " + crowded,
          bool(crowded) == (len(os.sched_getaffinity(0)) < 5))


def check_paths(browser):
    """Call sites stand under the functions that lead to them, by their names."""
    paths = browser.value("view.forecast.sites.map(s => s.path)")
    check("paths: %s" % paths, paths and all(p and p[0].startswith("main wavefront.c:")
                                   for p in paths))


def check_rank_views(browser):
    """One iteration and what each rank does, of the largest run."""
    for what in ("timeline", "load"):
        check(what, browser.value("view.%s.ranks" % what) == 5)
        check(what + " is shown", browser.value(
            "document.querySelector('#%s svg, #%s table') != null" % (what, what)))
    browser.click("[data-as-table]")
    browser.wait_for("document.querySelector('#timeline tbody') != null")
    browser.click("[data-as-table]")


def check_paper(browser):
    """Light, as wide as the sheet, and of pages of A4."""
    browser.tell("Emulation.setEmulatedMedia", media="print", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])
    browser.resize(SHEET_PX, 1000)
    beyond = browser.value("""[...document.querySelectorAll('body *')].filter(
      e => e.checkVisibility() && !e.closest('svg *') &&
           e.getBoundingClientRect().right > innerWidth + 1).map(
      e => e.outerHTML.slice(0, 80))""")
    check("nothing is cut off: %s" % beyond, not beyond)
    check("text is dark", browser.value(
        "getComputedStyle(document.body).color") == "rgb(29, 28, 26)")
    lines = browser.value(
        "[...document.querySelectorAll('#explore td:first-child *')]"
        ".map(e => e.getClientRects().length)")
    check("names of calls stand on one line: %s" % lines,
          lines and all(n == 1 for n in lines))
    # No letter of a head stands on a line of its own, as where it is narrower than
    # its longest word.
    broken = browser.value("""[...document.querySelectorAll('th')].filter(th => {
      const box = document.createRange();
      const texts = document.createNodeIterator(th, NodeFilter.SHOW_TEXT);
      for (let text; (text = texts.nextNode());) {
        for (const word of text.data.matchAll(/\\S+/g)) {
          box.setStart(text, word.index);
          box.setEnd(text, word.index + word[0].length);
          if (box.getClientRects().length > 1) return true;
        }
      }
      return false;
    }).map(th => th.textContent)""")
    check("words of heads are whole: %s" % broken, not broken)
    printed = browser.value("""[...document.querySelectorAll('.bar')].map(
      e => getComputedStyle(e).printColorAdjust)""")
    check("bars are printed: %s" % printed,
          printed and set(printed) == {"exact"})
    pdf = base64.b64decode(browser.tell(
        "Page.printToPDF", preferCSSPageSize=True)["data"])
    sheets = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    check("pages of A4: %s" % sheets, sheets and all(
        abs(float(a) - b) < 1.5 for sheet in sheets
        for a, b in zip(sheet, SHEET_POINTS)))


with Browser() as browser:
    browser.open("file://" + os.path.abspath(sys.argv[1]))
    browser.wait_for("document.getElementById('verdict') != null")
    labels = ("run time", "communication matrix")
    for label in labels if browser.value("hasCharts()") else ():
        browser.wait_for(
            "document.querySelector('[aria-label^=\"%s\"]') != null" % label)
    check_facts(browser)
    browser.check_access("the report")
    check_paths(browser)
    check_rank_views(browser)
    check_paper(browser)
    size = os.path.getsize(sys.argv[1])
    check("%d bytes are few" % size, size < 1_000_000)
    check("nothing failed: %s" % browser.errors, not browser.errors)
    asked = [a for a in browser.asked if not a.startswith(("file:", "about:"))]
    check("nobody is asked: %s" % asked, not asked)
