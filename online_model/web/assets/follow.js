// What the side-car says: asked for again and again, and put into `view`
// (page.js).
"use strict";

async function ask(what) {
  const answer = await fetch(what, {
    headers: {Authorization: "Bearer " + token}});
  if (answer.status === 204) return null;
  if (!answer.ok) {
    const why = answer.status === 401
      ? "open the address that `ranksight serve` printed: it carries the token"
      : (await answer.text()).trim();
    // What cannot be answered, whenever it is asked for.
    throw Object.assign(Error(why),
                        {isRefusal: [400, 404].includes(answer.status)});
  }
  return answer.json();
}

// The group that is shown; without one that is chosen all are listed, or the
// only one is shown.
function chooseGroup(groups) {
  const select = document.getElementById("group");
  if (!groups.some(g => g.id === view.group)) view.group = "";
  if (!view.group && groups.length > 1) view.all = true;
  if (!view.group && !view.all && groups.length) view.group = groups[0].id;
  document.getElementById("all").hidden = view.all;
  select.parentElement.hidden = view.all;
  write(select, groups.map(g => `<option value="${g.id}"${
    g.id === view.group ? " selected" : ""}>${escapeText(groupName(g))}</option>`)
    .join(""));
  offerComparison(groups);
  return groups.find(g => g.id === view.group);
}

// What comes after the others, and only when its runs changed: as slow to make
// as it is large. The first three are drawn at once.
const kSlowAnswers = [["matrix", "load", "timeline"], ["laws"]];
// Between a failure and asking again, the first time and the longest: a server
// that is busy is not made busier.
const kFirstPauseMs = 1000, kLongestPauseMs = 60000;

// An answer, or why there is none; failed: it may come when asked for again.
const askOrSay = what => ask(what).catch(
  e => ({refused: e.message, failed: !e.isRefusal}));

// Who sends to whom at the rank count that was chosen; what was answered, where
// one was: the reason, too.
const matrixOf = group => `group=${group}&ranks=${view.matrixRanks}`;
const matrixSaid = answer => !answer.refused ? answer
  : view.matrixRanks ? {ranks: view.matrixRanks, refused: answer.refused} : null;

async function refreshMatrix() {
  const {group, matrixRanks} = view;
  const answer = await askOrSay("api/matrix?" + matrixOf(group));
  if (view.group !== group || view.matrixRanks !== matrixRanks) return;
  view.matrix = matrixSaid(answer);
  draw();
}

// Puts those of the slow answers that are left into view, until it is over;
// returns those that failed.
async function askSlow(group, left, isOver) {
  const {runs, failed: none} = await askOrSay("api/runs?group=" + group.id);
  if (none || isOver()) return left;
  const largest = (runs || []).filter(r => r.complete).reduce(
    (a, b) => a && a.ranks >= b.ranks ? a : b, null);
  const of = what => what === "laws" ? "group=" + group.id
    : what === "matrix" && view.matrixRanks ? matrixOf(group.id)
    : largest && "job=" + encodeURIComponent(largest.job);
  const failed = [];
  for (const together of kSlowAnswers) {
    const asked = together.filter(what => left.includes(what) && of(what));
    for (const what of asked) {
      const answer = await askOrSay(`api/${what}?${of(what)}`);
      if (isOver()) return [];
      if (answer.failed) failed.push(what);
      view[what] = what === "matrix" ? matrixSaid(answer)
        : answer.refused && what !== "laws" ? null : answer;
    }
    if (asked.length) draw();
  }
  return failed;
}

async function refreshSlow(group) {
  const of = group && group.id + group.runs;
  if (!group || view.slow?.of === of) return;
  const mine = view.slow = {of};
  const isOver = () => view.slow !== mine;  // others are asked for meanwhile
  let left = kSlowAnswers.flat();
  for (let pause = kFirstPauseMs; ; pause = Math.min(2 * pause,
                                                     kLongestPauseMs)) {
    left = await askSlow(group, left, isOver);
    if (!left.length || isOver()) return;
    await new Promise(done => setTimeout(done, pause));
    if (isOver()) return;
  }
}

// "10:03:07 refused app on 4 ranks from anna: why"
const noticeText = ({unix_ms, text}) =>
  `${new Date(unix_ms).toLocaleTimeString()} ${text}`;

function countsOf({counters: c, groups, notices}) {
  const stored = groups.reduce((sum, g) => sum + g.runs, 0);
  return `live: ${counted(stored, "run")} stored; since the start ${
    counted(c.segments, "segment")}, ${counted(c.frames_refused, "frame")
    } refused${notices.length ? `; last: ${noticeText(notices[0])}` : ""}`;
}

// Runs what asks, which ends early when isOver. One asks at a time; who chooses
// something else does not wait for it.
async function whileAsking(what) {
  const mine = view.asking = {};
  const isOver = () => view.asking !== mine;
  const status = document.getElementById("status");
  try {
    await what(isOver);
    // What somebody was told stays until he does something else.
    if (!isOver()) status.textContent = view.notice || countsOf(view.state);
  } catch (e) {
    status.textContent = e.message;
  } finally {
    if (!isOver()) view.asking = null;
  }
}

// Who asked for less than all has all asked for again where that failed.
const forgetVersion = error => {
  view.version = 0;
  throw error;
};

// The forecast of a program that is opened, of the state that is known: what came
// since is told to who asks next.
const refreshOpened = group => whileAsking(async isOver => {
  const [forecast, other] = await Promise.all([
    ask("api/forecast?group=" + group.id),
    view.compare ? ask("api/forecast?group=" + view.compare) : null])
    .catch(forgetVersion);
  if (isOver()) return;
  Object.assign(view, {forecast, other});
  draw();
  refreshSlow(group);
});

// What another program is forecast to take, beside what is there already.
const refreshOther = () => whileAsking(async isOver => {
  const other = await ask("api/forecast?group=" + view.compare)
    .catch(forgetVersion);
  if (isOver()) return;
  view.other = other;
  draw();
});

// A state is shown with its forecast, or asked for again.
async function refresh(force) {
  if (view.asking && !force) return;
  return whileAsking(async isOver => {
    const state = await ask("api/state" +
      (force ? "" : "?since=" + view.version));
    if (isOver()) return;
    if (state) {
      const group = chooseGroup(state.groups);
      const since = view.overview ? "?since=" + view.overview.stamp : "";
      const [forecast, other, overview] = await Promise.all([
        group ? ask("api/forecast?group=" + group.id) : null,
        group && view.compare ? ask("api/forecast?group=" + view.compare)
          : view.file && view.file.forecast,
        view.all && ask("api/overview" + since).then(
          news => news || view.overview)]);
      if (isOver()) return;
      // The list is kept: it says what it knows of a program that is opened.
      Object.assign(view, {state, forecast: shared(view.forecast, forecast),
                           other: shared(view.other, other),
                           overview: sharedOverview(view.overview, overview) ||
                             view.overview,
                           version: state.version});
      draw();
      refreshSlow(group);
    }
  });
}
