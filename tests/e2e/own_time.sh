#!/usr/bin/env bash
# own_time.sh PROGRAM: where ranks share cores, computation is the time for which
# they ran, known to the program; waiting, in calls or by polls, is none of it.
. "$(dirname "$0")/lib.sh"
program=$1
unset RANKSIGHT_CLOCK
core=$(taskset -cp $$ | grep -oE '[0-9]+([,-][0-9]+)*$' | grep -oE '^[0-9]+')

# flag EXPECTED TRACE: whether it says that ranks shared cores.
flag() {
  "$ranksight" show --json "$2" | grep -qE "\"own_time\": ?$1" ||
    fail "$2: own_time is not $1"
}

LD_PRELOAD=$yield_preload taskset -c "$core" "$ranksight" record -o shared.trace \
  -- "$launcher" -n 3 "$program" 2 || fail "recording"
flag true shared.trace
"$ranksight" show shared.trace | grep -q '^times .*processor time' ||
  fail "show does not say so"
"$ranksight" stats --json shared.trace >stats.json || fail "stats"
python3 - <<'EOF' || fail "computation is not what it was"
import json, sys
calls = {c["call"]: c for c in json.load(open("stats.json"))["calls"]}
barrier, test = calls["MPI_Barrier"], calls["MPI_Test"]
mean_ms = barrier["compute_ns"] / barrier["count"] / 1e6
polled_ms = test["compute_ns"] / test["count"] / 1e6
print(mean_ms, polled_ms)
sys.exit(not (1.9 < mean_ms < 2.3 and polled_ms < 2))
EOF

# And so it is forecast as with a core for each rank.
for ranks in 4 6 9; do
  LD_PRELOAD=$yield_preload taskset -c "$core" "$ranksight" record \
    -o "$ranks.trace" -- "$launcher" -n "$ranks" "$examples/stencil2d" \
    --steps 20 >/dev/null || fail "recording $ranks"
done
# 1 where the machine is so busy that all points are refused; their figures stand.
"$ranksight" forecast --json --ranks 16,64 --network hdr-infiniband \
  [469].trace >forecast.json
[ $? -le 1 ] || fail "forecast: $(cat forecast.json)"
"$ranksight" forecast --ranks 64 [469].trace >forecast.txt
grep -q 'a core for each rank and the network shared-memory' forecast.txt ||
  fail "$(cat forecast.txt)"
python3 - <<'EOF' || fail "forecast of ranks that shared cores"
import json, sys
f = json.load(open("forecast.json"))
sizes = [s["seconds"] for s in f["sizes"]]
at = {p["ranks"]: p for p in f["points"]}
# Weak scaling: none takes much longer than another, whoever waited for whom.
sys.exit(f["network"] != "hdr-infiniband" or max(sizes) > 3 * min(sizes) or
         not 0.25 * min(sizes) < at[16]["seconds"] < 4 * max(sizes))
EOF
expect_exit 2 "$ranksight" forecast --ranks 64 --network ring [469].trace
grep -q "'ring' is no file and none of shared-memory" err.txt || fail "$(cat err.txt)"

# One rank has a core for itself: a wall clock, unless asked for.
"$ranksight" record -o alone.trace -- "$launcher" -n 1 "$program" 1 || fail alone
flag false alone.trace
"$ranksight" record --cpu-time -o asked.trace -- "$launcher" -n 1 "$program" 1 ||
  fail asked
flag true asked.trace
# And ranks that share a core where a clock was chosen.
export RANKSIGHT_CLOCK=tsc
LD_PRELOAD=$yield_preload taskset -c "$core" "$ranksight" record -o wall.trace \
  -- "$launcher" -n 3 "$program" 1 || fail wall
flag false wall.trace
