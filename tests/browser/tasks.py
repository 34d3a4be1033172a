"""tasks.py ADDRESS STORE: five things that somebody wants to know who has never seen the
page, of the store that two_builds (tests/bench) makes, each begun where the
server's address leads. Done by a mouse, whose clicks are counted, while answers
come in; what is read at the end is held against what was put into the runs."""
import json
import math
import os
import re
import subprocess
import sys
import time

from browser import PATIENCE_S, Browser

address, store = sys.argv[1:3]
MOST_CLICKS = 3
REDRAW = "draw(), 1"
SHOWN = "view.forecast && document.getElementById('verdict') != null"


def check(what, is_so):
    if not is_so:
        sys.exit("not so: " + what)


class Visitor:
    """Somebody with a mouse."""

    def __init__(self, browser):
        self.browser, self.clicks = browser, 0

    def click(self, selector, share=0.5):
        self.browser.click(selector, between=REDRAW, share=share)
        self.clicks += 1

    def read(self, selector):
        self.browser.wait_for("document.querySelector(%s)?.innerText" %
                              json.dumps(selector))
        return self.browser.value("document.querySelector(%s).innerText" %
                                  json.dumps(selector))

    def open_newest(self):
        """The build that was stored last: the first of the list."""
        self.browser.wait_for("document.querySelector('#programs a') != null")
        self.click("#programs a")
        self.browser.wait_for(SHOWN)
        # Nothing more comes that would move what is clicked at.
        self.browser.wait_for("!view.forecast.walking && view.laws && "
                              "!view.asking")


def what_stops_it(visitor):
    """Which call stops it at 1,024 ranks?"""
    visitor.open_newest()
    at, of = visitor.browser.value(
        "(all => [all.indexOf(1024), all.length - 1])(rankChoices(view.forecast))")
    check("1,024 can be chosen", at > 0)
    visitor.click("#ranks", share=at / of)
    visitor.browser.wait_for("document.getElementById('ranks-chosen')"
                             ".textContent == '1024'")
    said = visitor.read("#sought")
    check("the reduction: " + said,
          "at 1024 ranks most is in MPI_Allreduce at solver+0x40" in said)
    # Of the call alone, without the computation before it.
    share = visitor.browser.value("""(f => {
      const all = f.sites.map(s => [modelAt(s.compute, 1024),
                                    modelAt(s.in_call, 1024)]).flat();
      return Math.max(...all) / all.reduce((a, b) => a + b); })(view.forecast)""")
    told = float(re.search(r"solver\+0x40, ([\d.]+) %", said)[1])
    check("its share, %s: %s" % (share, said), abs(told - 100 * share) <= 0.06)


def what_to_run_next(visitor):
    """Which run to make next?"""
    visitor.open_newest()
    said = visitor.read(".tiles")
    found = re.search(r"next run to make\s+(\d+) ranks", said)
    check("a run beyond the largest: " + said, found and int(found[1]) > 128)
    check("the verdict says so, too",
          "run %s ranks" % found[1] in visitor.read("#verdict"))


def what_doubling_does(visitor):
    """What does this call's time do when I double the ranks?"""
    visitor.open_newest()
    visitor.click("#explore [data-site^='MPI_Allreduce']")
    said = visitor.read("#site-doubled")
    ranks = [int(n) for n in re.findall(r"From (\d+) to (\d+) ranks", said)[0]]
    times = float(re.search(r"in the call .*? become [^,]*, ([\d.]+) times",
                            said)[1])
    check("doubled: " + said, ranks[1] == 2 * ranks[0])
    # 30 us times the logarithm.
    log = ranks[0].bit_length() - 1
    check("%s, not %s" % (said, (log + 1) / log),
          abs(times - (log + 1) / log) < 0.05)


def who_sends_most(visitor):
    """Who sends most to whom?"""
    visitor.open_newest()
    said = visitor.read("#heaviest")
    check("half way round the ring: " + said,
          "from rank 0 to rank 64: 2.5 MiB in 40 messages" in said)


def did_it_become_slower(visitor):
    """Did build B become slower than build A?"""
    visitor.open_newest()
    check("B is shown", visitor.browser.value(
        "view.state.groups.find(g => g.id == view.group).build_id[0]") == "b")
    visitor.click("[data-compare]")
    said = visitor.read("#other-verdict")
    check("with A: " + said, "build a1111111" in said)
    found = re.search(r"takes ([\d.]+) times as long", said)
    # Computation takes 1.2 times as long, and is most of the time.
    check("slower: " + said, found and 1.1 < float(found[1]) < 1.2)


def parts_add_up(browser):
    """Computation, waiting, transfer and collectives, as the laws and the largest
    run have them; a call that is opened says how much of it is waiting."""
    said = browser.value("document.getElementById('sought').innerText")
    told = [float(v) for v in re.findall(
        r"(?:Computation|waiting|transfer|collective calls) ([\d.]+) %", said)]
    check("four parts: " + said, len(told) == 4)
    forecast = browser.value("view.forecast")
    ranks = browser.value("chosenRanks(view.forecast)")
    parts = [0, 0, 0, 0]
    for site in forecast["sites"]:
        compute, call = (max(0, m["a"] + m["b"] * ranks ** m["power"] *
                             math.log2(ranks) ** m["log_power"])
                         for m in (site["compute"], site["in_call"]))
        waiting = call * site["over_ranks"]["waiting_share"]
        parts[0] += compute
        parts[1] += waiting
        parts[3 if site["call"] in ("MPI_Allreduce", "MPI_Bcast") else 2] += call - waiting
    for share, part in zip(told, parts):
        check("%s: %s" % (parts, said),
              abs(share - 100 * part / sum(parts)) <= 0.06)
    site = next(s for s in forecast["sites"] if s["call"] == "MPI_Allreduce")
    browser.value("choose({site: ''}), 1")
    browser.click("#explore [data-site^='MPI_Allreduce']")
    browser.wait_for("/is waiting, the rest the collective itself/.test("
                     "document.getElementById('site-doubled').textContent)")
    opened = browser.value("document.getElementById('site-doubled').innerText")
    check("of the run on 128 ranks: " + opened, "%.1f %% is waiting" % (
        100 * site["over_ranks"]["waiting_share"]) in opened)


def matrix_by_laws(browser):
    """Twice as many ranks as were run: a ring, and the first to the one half way."""
    ranks, steps = 256, 40
    browser.value("""(choice => {
      choice.value = '%d';
      choice.dispatchEvent(new Event('change', {bubbles: true}));
    })(document.getElementById('matrix-ranks'))""" % ranks)
    browser.wait_for("view.matrix.ranks == %d" % ranks)
    matrix = browser.value("view.matrix")
    wanted = {}
    for sender, receiver, size in [(0, ranks // 2, 65536)] + [
            (rank, (rank + 1) % ranks, 8192) for rank in range(ranks)]:
        at = sender // matrix["block"], receiver // matrix["block"]
        total = wanted.setdefault(at, [0, 0])
        total[0] += steps * size
        total[1] += steps
    check("a ring of %d" % ranks, {(a, b): [size, messages] for
          a, b, size, messages in matrix["cells"]} == wanted)
    browser.value("draw(), 1")
    said = browser.value("document.getElementById('heaviest').innerText")
    check("in words: " + said, "2.5 MiB in 40 messages" in said)


def asks_for_the_other_alone(browser):
    """Who compares does not wait for what is there already."""
    # Whatever walks end meanwhile, nothing is new to who looks again.
    browser.value("""window.askedFor = [], window.realFetch = window.fetch,
      window.fetch = async (what, how) => {
        if (what.includes('since=')) return new Response(null, {status: 204});
        window.askedFor.push(what);
        return realFetch(what, how); }, 1""")
    browser.click("[data-compare]")
    browser.wait_for("view.other && "
                     "document.getElementById('other-verdict') != null")
    asked = browser.value("askedFor")
    browser.value("window.fetch = realFetch, 1")
    check("only the other's forecast: %s" % asked, asked == [
        "api/forecast?group=" + browser.value("view.compare")])


def compare_machines(browser):
    """Another machine, from a file: what it says there stands beside."""
    ranksight = os.environ["RANKSIGHT_BUILD"] + "/bin/ranksight"
    with open("other.json", "w", encoding="utf-8") as out:
        subprocess.run(
            [ranksight, "forecast", "--store", store, "--program", "solver",
             "--ranks", "256,512", "--network", "10g-ethernet", "--json"],
            stdout=out, check=False)
    with open("other.json", encoding="utf-8") as made:
        other = json.load(made)
    browser.choose_file("#compare-file", "other.json")
    browser.wait_for("view.file && "
                     "document.getElementById('other-verdict') != null")
    browser.value(REDRAW)
    said = browser.value("document.getElementById('other-verdict').innerText")
    check("the file, its network and its verdict: " + said,
          "other.json, on the network 10g-ethernet: %s." %
          other["verdict"]["text"] in said)
    points = browser.value("view.forecast.points.map(p => [p.ranks, p.seconds])")
    here = dict(map(tuple, points))
    last = [p for p in other["points"] if not p["refused"]][-1]
    times = re.search(r"forecast at %d ranks, ([\d.]+) times" % last["ranks"], said)
    check("how much longer: " + said, times and math.isclose(
        float(times[1]), here[last["ranks"]] / last["seconds"], rel_tol=0.006))
    rows = browser.value("comparedRows('time').map(r => [r.ranks, r.seconds])")
    check("it is drawn", [last["ranks"], last["seconds"]] in rows)
    with open("none.json", "w", encoding="utf-8") as out:
        out.write('{"sizes": []}')
    browser.choose_file("#compare-file", "none.json")
    browser.wait_for("document.getElementById('status').textContent.includes("
                     "'none.json is not what')")
    # Not until the next answer alone, which comes twice a second.
    browser.tell("Runtime.evaluate", expression="refresh(true)",
                 awaitPromise=True)
    check("what is wrong can be read", "none.json is not what" in
          browser.value("document.getElementById('status').textContent"))
    check("what was there stays", browser.value("view.file.name") == "other.json")


def sizes_read_well(browser):
    """A few rank counts by their numbers, many by how many and their ends."""
    said = browser.value("""(() => {
      const of = (all, spread) => bases({spread,
        points: all.map(ranks => ({ranks, basis: "walked"}))});
      return [of([4, 9]), of([4, 8, 64, 512, 1600])]; })()""")
    check("few: %s" % said[0], ">at 4, 9 ranks: walked<" in said[0])
    check("many: %s" % said[1], ">at 5 sizes from 4 to 1600 ranks: walked<" in said[1])
    said = browser.value("""refusals({refusals: [
      {text: "5 sizes from 64 to 1600", reason: "too far"}]})""")
    check("refused: %s" % said, " ".join(said.split()) ==
          '<p class="soft">refused at 5 sizes from 64 to 1600 ranks: too far</p>')


def long_reasons_stay(browser):
    """A reason with a long name stays within its frame, and is folded."""
    width, within, folded = browser.value("""(() => {
      const section = document.createElement('section');
      section.style.width = '260px';
      section.innerHTML = bases({points: [{ranks: 32, basis:
        'laws added up: no law for ' + 'module::subroutine_'.repeat(8)}]});
      document.getElementById('main').append(section);
      section.querySelector('details')?.setAttribute('open', '');
      const said = [section.clientWidth, section.scrollWidth,
                    section.querySelector('details') != null];
      section.remove();
      return said; })()""")
    check("%s within %s" % (within, width), within <= width)
    check("it is folded", folded)


# By how much the title of the axis stands off the next of its labels, in pixels.
APART = """(svg => {
  const boxes = which => [...svg.querySelectorAll(which)]
    .map(text => text.getBoundingClientRect());
  return Math.min(...boxes("g[text-anchor=end] > text").map(box => box.left)) -
    Math.max(...boxes("text[transform*=rotate]").map(box => box.right));
})(document.querySelector("#%s svg"))"""


def says_what_is_no_message(browser):
    """What ranks exchange otherwise than by messages is named beside the matrix."""
    said = browser.value("""(() => {
      const of = (cells, others) => {
        const p = document.createElement('div');
        p.innerHTML = matrixSection({ranks: 4, side: 4, block: 1, cells, others});
        return [p.querySelector('#heaviest').textContent,
                p.querySelector('#chart-matrix') != null]; };
      const others = [['MPI_Neighbor_alltoall', 400], ['MPI_Allreduce', 1]];
      return [of([], others), of([[0, 1, 2048, 5]], others),
              of([[0, 1, 2048, 5]], []), of([], [])]; })()""")
    named = "MPI_Neighbor_alltoall (400 calls), MPI_Allreduce (1 call)"
    most = "Most goes from rank 0 to rank 1: 2 KiB in 5 messages."
    check("all kinds: %s" % said, said == [
        ["No rank sends a message to another: all is exchanged by %s." % named,
         False],
        ["%s Point to point; not in it: %s." % (most, named), True],
        [most, True], ["No rank sends a message to another.", False]])


def says_which_are_exact(browser):
    """Of each call site, where the program as a whole follows no laws."""
    said = browser.value("""(() => {
      const {laws} = view;
      view.laws = {refused: 'no law for it', ranks: 16, exact: 3,
        laws: ['MPI_Send at f < g < main: count = 3'],
        estimates: [{call: 'MPI_Alltoallv', site: 'h < g < main', messages: 0},
                    {call: 'MPI_Send', site: 'k < main', messages: 40,
                     messages_width: 2, bytes: 80, bytes_width: 4, partners: 6,
                     partners_width: 1}]};
      const of = (call, site) => {
        const p = document.createElement('div');
        p.innerHTML = siteLaws({call, site});
        return p.innerText.replace(/\\s+/g, ' ').trim(); };
      const out = [of('MPI_Send', 'f < g < main'), of('MPI_Send', 'k'),
                   of('MPI_Alltoallv', 'h < g < main'),
                   of('MPI_Bcast', 'f < g < main')];
      const listed = document.createElement('div');
      listed.innerHTML = lawList(view.laws);
      view.laws = {refused: 'too few runs', ranks: 16};
      out.push(of('MPI_Send', 'f < g < main'), listed.innerText);
      view.laws = {refused: 'no law for it', not_estimated: 'ranks <wait>',
                   ranks: 16};
      listed.innerHTML = lawList(view.laws);
      out.push(of('MPI_Send', 'f < g < main'), listed.innerText);
      view.laws = laws;
      return out; })()""")
    said = [" ".join(text.split()) for text in said]
    check("exact, with its law: %s" % said, said[0].startswith("Exact:") and
          "count = 3" in said[0])
    check("estimated: %s" % said, said[1] == "Estimated: not all that it is given "
          "follows laws. On 16 ranks: 40 ± 2 messages, 80 ± 4 bytes, 6 ± 1 pairs "
          "of ranks.")
    check("an amount alone: %s" % said, said[2] == "Estimated: not all that it is "
          "given follows laws.")
    check("not exact without a law: %s" % said, said[3] == "Not known: no law that "
          "was found is of this call.")
    check("nothing is known: %s" % said, said[4] == "Not known: no laws give all "
          "that the program does.")
    for text in said[6:]:
        check("nor why there is no estimate: " + text,
              "Not estimated either: ranks <wait>." in text)
    check("with the laws' reason: %s" % said, said[7].startswith("No law for it. "))
    for part in ("No law for it.", "3 parameters", "MPI_Alltoallv at h < g < main",
                 "40 ± 2 messages", "count = 3"):
        check("%s: %s" % (part, said[5]), part in said[5])


def says_where_laws_are_apart(browser):
    """What laws of calls add up to stands beside the forecast, or what the run took;
    and which to rely on where it is far from that."""
    said = browser.value("""(() => {
      const of = (seconds, refused, sizes = []) => sumAgainstForecast(
        {points: [{ranks: 64, seconds, refused}], sizes},
        [{seconds: 1.5}, {seconds: 0.5}], 64).replace(/\\s+/g, ' ');
      return [of(2.1), of(1), of(8), of(9, true, [{ranks: 64, seconds: 2.2}]),
              of(1, true)]; })()""")
    begin = " The laws of the calls, each fitted alone, add up to 2 s; "
    check("near: %s" % said, said[0] == begin + "the forecast of the run is 2.1 s.")
    for text, whole in ((said[1], "1 s"), (said[2], "8 s")):
        check("apart: " + text, text == begin + "the forecast of the run is %s: rely "
              "on that one, and here on the order alone." % whole)
    check("measured alone: %s" % said, said[3] == begin + "the run took 2.2 s.")
    check("neither: %s" % said, said[4] == "")


def says_how_far_walks_are(browser):
    """Share and time left, while traces are walked; nothing afterwards."""
    said = browser.value("""(() => {
      const of = (walked, left_seconds, walking = true, waits_for_core = false) =>
        walkProgress({walking,
                      walks: {walked, all: 8, left_seconds, waits_for_core}});
      return [of(2, 0), of(4, 20), of(4, 20, true, true), of(4, 20, false),
              walkProgress({walking: false})]; })()""")
    for share in ("2 of 8 sizes, 25.0 %</p>",
                  "4 of 8 sizes, 50.0 %, about 20 s left</p>",
                  "about 20 s left, waiting for a free core</p>"):
        check("%s: %s" % (share, said[0]), share in said.pop(0))
    check("nothing afterwards", said == ["", ""])


def titles_stand_apart(browser):
    """No title of a chart lies on what the axis says."""
    browser.value(REDRAW)
    for chart in ("chart-time", "chart-share"):
        apart = browser.value(APART % chart)
        check("the title of %s is %s pixels off" % (chart, apart), apart >= 0)


CHARTS = "['chart-time', 'chart-share', 'timeline', 'load', 'chart-matrix']"


# All charts are of another answer.
ANSWERED = """(() => { for (const what of ["forecast", "timeline", "load", "matrix"]) {
  view[what] = structuredClone(view[what]);
} })()"""


# 1,000 calls of each lane, as a table; and a matrix in which each sends to each.
LONG = """view.asking = {}, view.realTimeline = view.timeline,
view.timeline = {...view.timeline, lanes: view.timeline.lanes.map(lane => {
  const events = Array.from({length: 1000},
                            (_, i) => lane.events[i %% lane.events.length]);
  const sum = place => events.reduce((all, e) => all + e[place], 0);
  return {...lane, events, compute_ns: sum(2), call_ns: sum(3)};
})}, view.zoom = null, view.realMatrix = view.matrix,
view.matrix = {...view.matrix, side: 128, cells: Array.from(
  {length: 128 * 128}, (_, i) => [i >> 7, i & 127, 1 + i, 3])}, %s, 1"""
ROWS = "document.querySelectorAll('#timeline tbody tr').length"
SCROLLED = "document.querySelector('#timeline .scroll')"
ELEMENTS = "document.querySelectorAll('%s *').length"


def long_answers_are_light(browser):
    """Of thousands of calls and pairs few elements are made, and rows of a table as
    somebody scrolls to them; a drawing or a sheet of paper has them all."""
    browser.value(LONG % "draw()")
    lanes = browser.value("view.timeline.lanes.length")
    if browser.value("hasCharts()"):
        check("pieces of %d calls" % (1000 * lanes), 1000 * lanes - 50 < len(
            browser.pieces("#timeline", "in calls")) <= 1000 * lanes)
        check("each pair", len(browser.pieces("#chart-matrix", "pairs")) ==
              128 * 128)
        for chart in ("#timeline", "#chart-matrix"):
            few = browser.value(ELEMENTS % chart)
            check("%d elements for %s" % (few, chart), few < 250)
    browser.value("document.querySelector('[data-as-table]').click()")
    check("some rows at once", browser.value(ROWS) == 100)
    check("and how many there are", browser.value(
        "document.querySelector('#timeline table').ariaRowCount") ==
        str(1000 * lanes + 1))
    browser.value(SCROLLED + ".scrollTop = 1e6, 1")
    browser.wait_for(ROWS + " >= 200")
    was = browser.value("[%s, %s.scrollTop]" % (ROWS, SCROLLED))
    browser.value("view.timeline = {...view.timeline, basis: 'another basis'}, "
                  "draw(), 1")
    browser.value("1")
    check("who scrolled stays there: %s" % was, browser.value(
        SCROLLED + ".scrollTop") == was[1])
    browser.value("dispatchEvent(new Event('beforeprint')), 1")
    check("all are printed", browser.value(ROWS) == 1000 * lanes)
    last = browser.value("[...document.querySelectorAll('#timeline tbody tr')]"
                         ".pop().innerText")
    wanted = browser.value("(rows => rows[rows.length - 1].text)("
                           "timelineRows(view.timeline))")
    check("to the last: %s, %s" % (last, wanted), wanted in last)
    browser.check_access("a long table")
    browser.value("document.querySelector('[data-as-table]').click()")
    browser.value("view.timeline = view.realTimeline, "
                  "view.matrix = view.realMatrix, view.asking = null, draw(), 1")


def drawn_now(browser, then):
    """Which charts stand as they were when another answer was drawn, which follow,
    and which of these is the first."""
    return browser.value(ANSWERED + """, %s, window.was = Object.fromEntries(%s.map(
      id => [id, document.querySelector('#' + id + ' svg')])), draw(),
      [%s.filter(id => was[id] &&
         document.querySelector('#' + id + ' svg') === was[id]),
       [...deferred.keys()], seenDeferred(), scrollY]""" % (then, CHARTS, CHARTS),
      draws=False)


def draws_what_is_seen_first(browser):
    """Words are there at once, and charts stay until they are drawn anew: those on
    the screen first, the rest without being asked."""
    if not browser.value("hasCharts()"):
        return
    charts = browser.value("scrollTo(0, 0), " + CHARTS)
    now, later, first, _ = drawn_now(browser, "scrollTo(0, 0)")
    check("they stay: %s, %s" % (now, later),
          set(now) == set(charts) <= set(later))
    check("what is seen comes first: %s" % first, first == "chart-time")
    end = time.monotonic() + PATIENCE_S
    while not browser.value(
            "!deferred.size && %s.every(id => ![null, was[id]].includes("
            "document.querySelector('#' + id + ' svg')))" % CHARTS, draws=False):
        check("the rest is drawn when there is time", time.monotonic() < end)
        time.sleep(0.05)
    place = browser.value("scrollTo(0, document.getElementById('load')"
                          ".getBoundingClientRect().top + scrollY - 100), scrollY",
                          draws=False)
    _, _, first, top = drawn_now(browser, "1")
    check("where somebody is: %s" % first, first in ("load", "chart-matrix"))
    check("and nothing moves: %s, %s" % (place, top), place == top)
    now = browser.value(ANSWERED + ", draw(), scrollTo(0, 0), "
                        "dispatchEvent(new Event('scroll')), "
                        "!deferred.has('chart-time')", draws=False)
    check("who scrolls there sees it", now)
    check("who prints has all of %s" % charts, browser.value(
        ANSWERED + ", draw(), dispatchEvent(new Event('beforeprint')), "
        "!deferred.size",
        draws=False))
    # As for a program of which these answers are not there yet.
    check("what was put off fails at nothing", browser.value(
        ANSWERED + ", draw(), view.load = view.timeline = null, drawDeferred(), true",
        draws=False))
    check("nor is it drawn of a program that was left", browser.value(
        "view.forecast = structuredClone(view.forecast), draw(), "
        "dispatchEvent(new Event('hashchange')), !deferred.size",
        draws=False))


with Browser(1280, 900) as browser:
    for task in (what_stops_it, what_to_run_next, what_doubling_does,
                 who_sends_most, did_it_become_slower):
        browser.open(address)
        visitor = Visitor(browser)
        task(visitor)
        print("%d clicks: %s" % (visitor.clicks, task.__doc__))
        check("at most %d" % MOST_CLICKS, visitor.clicks <= MOST_CLICKS)
    titles_stand_apart(browser)
    long_answers_are_light(browser)
    says_what_is_no_message(browser)
    says_which_are_exact(browser)
    says_where_laws_are_apart(browser)
    says_how_far_walks_are(browser)
    sizes_read_well(browser)
    long_reasons_stay(browser)
    parts_add_up(browser)
    matrix_by_laws(browser)
    browser.value("compareGroup(''), 1")
    browser.wait_for("!view.other && !view.asking")
    asks_for_the_other_alone(browser)
    compare_machines(browser)
    draws_what_is_seen_first(browser)
    check("nothing failed: %s" % browser.errors, not browser.errors)
