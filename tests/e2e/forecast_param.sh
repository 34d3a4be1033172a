#!/usr/bin/env bash
# Forecasts over the rank count and a problem size: runs in simulated time at
# three of each, held against a run at four times the ranks of the largest and
# twice its size; from files and from a store, and refused without enough runs.
. "$(dirname "$0")/lib.sh"
torus_platform 64 4,4,4
simulate() {  # RANKS SIZE: RANKS.SIZE.trace, 2 ns of computation a cell
  RANKSIGHT_CLOCK=wtime RANKSIGHT_PARAMS="size=$2" \
    RANKSIGHT_OUTPUT=$1.$2.trace smpirun -np "$1" -platform torus.xml \
    --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
    --log=root.thresh:critical "$build/bin/smpi/stencil2d.recorded" \
    --global "$2x$2" --steps 5 --work-ns $((2 * $2 * $2 / $1)) --periodic \
    >out.txt 2>&1 || { cat out.txt >&2; fail "simulation of $1 at $2"; }
}
for ranks in 4 9 16; do
  for size in 144 288 576; do simulate $ranks $size; done
done
simulate 64 1152

"$ranksight" forecast {4,9,16}.*.trace --param size=1152 --ranks 64 --json \
  >files.json || fail "forecast"
"$ranksight" show 64.1152.trace --json >truth.json || fail "show"
python3 - <<'PY' || fail "the forecast is far off"
import json, sys
f = json.load(open("files.json"))
truth = json.load(open("truth.json"))["elapsed_ns"]["max"] / 1e9
point = f["points"][0]
print(point, truth, file=sys.stderr)
laws = " ".join(law["compute"] for law in f["parameter"]["laws"])
sys.exit(point["refused"] or abs(point["seconds"] / truth - 1) > 0.15 or
         not point["low"] <= truth <= point["high"] or
         "size^2 / N" not in laws or len(f["parameter"]["measured"]) != 9)
PY

# The same from a store, where a run with another parameter is left out.
RANKSIGHT_PARAMS=other=1 RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=other.trace \
  smpirun -np 4 -platform torus.xml --log=root.thresh:critical \
  "$build/bin/smpi/stencil2d.recorded" --steps 2 >out.txt 2>&1 ||
  fail "simulation with another parameter"
mkdir store
"$ranksight" runs import --store store other.trace {4,9,16}.*.trace \
  >out.txt 2>err.txt || { cat err.txt >&2; fail "import"; }
# What is there already is said and passed over.
expect_exit 0 "$ranksight" runs import --store store other.trace 4.144.trace
[ "$(grep -c 'is in the store already' err.txt)" = 2 ] || fail "$(cat err.txt)"
program=$("$ranksight" show 4.144.trace --json | python3 -c \
  'import json, sys; print(json.load(sys.stdin)["program"])')
"$ranksight" forecast --store store --program "$program" --param size=1152 \
  --ranks 64 --json >stored.json 2>err.txt || fail "forecast from the store"
grep -q "left out: .*without the parameter size" err.txt || fail "not left out"
python3 - <<'PY' || fail "files and store differ"
import json, sys
a, b = [json.load(open(f + ".json"))["points"][0] for f in ("files", "stored")]
sys.exit(abs(a["seconds"] / b["seconds"] - 1) > 1e-9)
PY

"$ranksight" forecast {4,9}.*.trace --param size=1152 --ranks 64 >out.txt
[ $? = 1 ] || fail "two rank counts are enough"
grep -q "next run: .* ranks with size=144" out.txt || fail "no next run"
"$ranksight" forecast 4.*.trace --param size=x --ranks 64 2>err.txt
[ $? = 2 ] || fail "a value that is no number is taken"
"$ranksight" forecast other.trace 4.*.trace --param size=1152 --ranks 64 \
  2>err.txt
[ $? = 1 ] && grep -q "without the parameter size" err.txt ||
  fail "a run without the parameter is taken"
expect_exit 1 "$ranksight" forecast --store store --program nobody --ranks 8
grep -q "no run of nobody, but of $program\$" err.txt ||
  fail "whose runs are there? $(cat err.txt)"
