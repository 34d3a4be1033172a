// What the side-car says: asked for again and again, and put into `view`
// (page.js).
"use strict";

async function ask(what) {
  const answer = await fetch(what, {
    headers: {Authorization: "Bearer " + token}});
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(answer.status === 401
    ? "open the address that `ranksight serve` printed: it carries the token"
    : (await answer.text()).trim());
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

// Slow answers come after the others and only when their runs changed.
async function refreshRest(group) {
  const of = group && group.id + group.runs;
  if (!group || view.lawsRuns === of) return;
  view.lawsRuns = of;
  const over = () => view.lawsRuns !== of;  // others are asked for meanwhile
  const {runs} = await ask("api/runs?group=" + group.id);
  const largest = runs.filter(r => r.complete).reduce(
    (a, b) => a && a.ranks >= b.ranks ? a : b, null);
  const quiet = what => ask(what).catch(e => ({refused: e.message}));
  if (largest) {
    for (const what of ["matrix", "load", "timeline"]) {
      const answer = await quiet(
        `api/${what}?job=${encodeURIComponent(largest.job)}`);
      if (over()) return;
      view[what] = answer.refused ? null : answer;
    }
    draw();
  }
  const laws = await quiet("api/laws?group=" + group.id);
  if (over()) return;
  view.laws = laws;
  draw();
}

function countsOf({counters: c, groups}) {
  const stored = groups.reduce((sum, g) => sum + g.runs, 0);
  return `live: ${counted(stored, "run")} stored; since the start ${
    counted(c.segments, "segment")}, ${counted(c.frames_refused, "frame")} refused`;
}

// A state is shown with its forecast, or asked for again. One asks at a time;
// who chooses another group does not wait for it.
async function refresh(force) {
  if (view.asking && !force) return;
  const mine = view.asking = {};
  const status = document.getElementById("status");
  try {
    const state = await ask("api/state" +
      (force ? "" : "?since=" + view.version));
    if (view.asking !== mine) return;
    if (state) {
      const group = chooseGroup(state.groups);
      const forecast = group
        ? await ask("api/forecast?group=" + group.id) : null;
      const other = group && view.compare
        ? await ask("api/forecast?group=" + view.compare)
        : view.file && view.file.forecast;
      const overview = view.all && (await ask("api/overview" + (view.overview
        ? "?since=" + view.overview.stamp : "")) || view.overview);
      if (view.asking !== mine) return;
      Object.assign(view, {state, forecast, other, overview,
                           version: state.version});
      draw();
      refreshRest(group).catch(() => {});
    }
    // What somebody was told stays until he does something else.
    status.textContent = view.notice || countsOf(view.state);
  } catch (e) {
    status.textContent = e.message;
  } finally {
    if (view.asking === mine) view.asking = null;
  }
}
