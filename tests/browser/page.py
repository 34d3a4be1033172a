"""page.py ADDRESS TRACE PROGRAM COMMAND...: the page of a side-car that has the
runs of PROGRAM on 3, 4 and 5 ranks, held against what the commands say;
COMMAND adds that on 6 ranks, while the page is open."""
import csv
import io
import os
import re
import subprocess
import sys

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


CIRCLES = (
    "document.querySelectorAll("
    "'[aria-label^=\"run time\"] circle.measured').length"
)
SECTIONS = "[...document.querySelectorAll('h2')].map(h => h.textContent)"
LAWS = "document.querySelectorAll('.scroll > div > code').length"
CELLS = """[...document.querySelectorAll(
  '[aria-label="communication matrix"] rect[data-tip]')].map(
  c => c.dataset.tip)"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


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
# and a forecast fails: what is shown then, and whether it is asked for again.
LATE = """(async () => {
  const real = ask, seen = {};
  let late;
  ask = async what => what.startsWith('api/laws')
    ? what.endsWith('old') ? new Promise(answer => { late = answer; })
                           : {laws: ['new']} : {runs: []};
  const old = refreshRest({id: 'old', runs: 1});
  while (!late) await new Promise(done => setTimeout(done, 1));
  await refreshRest({id: 'new', runs: 1});
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
  view.lawsRuns = null;
  await refresh(true);
  window.seen = seen;
})()"""

with Browser() as browser:
    browser.open(address.split("#")[0])
    browser.wait_for("document.body.innerText.includes('carries the token')")
    browser.errors.clear()  # the refusal is one
    browser.open(address)
    browser.wait_for(CIRCLES + " == 3")
    browser.wait_for(LAWS + " > 0")
    check("three runs",
          "3 runs stored; since the start 0 segments" in browser.value(
              "document.getElementById('status').textContent"))
    check_matrix(browser.value(CELLS))
    subprocess.run(add_a_run, check=True, stdout=subprocess.DEVNULL)
    browser.wait_for(CIRCLES + " == 4")
    browser.wait_for(SECTIONS + ".some(t => t.endsWith(', 6 ranks'))")
    browser.wait_for(
        "document.querySelector('.tile').innerText.startsWith('6 ranks')")
    sections = browser.value(SECTIONS)
    for title in ("Run time", "Forecast", "Call sites that grow",
                  "Where the time goes", "Programs connected now",
                  "Laws of the structure"):
        check("a section " + title, title in sections)
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
    browser.wait_for(LAWS + " > 0")
    # The tip beside the pointer says what was measured.
    x, y = browser.value("""(() => {
      const all = document.querySelectorAll(
        '[aria-label^="run time"] rect[data-tip]');
      const b = [...all].find(r => r.dataset.tip.startsWith('6 ranks'))
        .getBoundingClientRect();
      return [b.x + b.width / 2, b.y + b.height / 2]; })()""")
    browser.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    browser.wait_for("!document.getElementById('tip').hidden && document"
                     ".getElementById('tip').textContent.includes('measured')")
    check("it fits a wide window", not browser.value(WIDER))
    browser.resize(400, 800)
    check("it fits a narrow window", not browser.value(WIDER))
    check("nothing failed: %s" % browser.errors, not browser.errors)
    own = address.split("#")[0]
    foreign = [a for a in browser.asked
               if not a.startswith((own, "about:", "data:"))]
    check("nobody else is asked: %s" % foreign, not foreign)
