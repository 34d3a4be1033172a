#!/usr/bin/env bash
# slow_start.sh LIBRARY PROGRAM: what starting the runtime takes, here an hour by
# the clock (LIBRARY), is nobody's computation and no part of the run.
. "$(dirname "$0")/lib.sh"
library=$1
program=$2
RANKSIGHT_CLOCK=monotonic LD_PRELOAD=$library:$yield_preload "$ranksight" record -o run.trace -- \
  "$launcher" -n 1 "$program" >out.txt 2>err.txt ||
  fail "recording: $(cat out.txt err.txt)"
"$ranksight" stats run.trace --json >stats.json || fail "stats"
"$ranksight" show run.trace --json >show.json || fail "show"
python3 - <<'END' || fail "the start is part of the run"
import json
computed = sum(c["compute_ns"] for c in json.load(open("stats.json"))["calls"])
elapsed = json.load(open("show.json"))["elapsed_ns"]["max"]
print(f"computed {computed / 1e6:.1f} ms, elapsed {elapsed / 1e6:.1f} ms")
assert 0 < computed < 3600e9 and 0 < elapsed < 3600e9
END
