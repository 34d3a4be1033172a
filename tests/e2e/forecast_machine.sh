#!/usr/bin/env bash
# Forecasts of another machine: runs in simulated time on one torus, and a
# larger run of half the computation on another with a third of the latency and
# half the bandwidth, held against the forecast; the real measuring program.
. "$(dirname "$0")/lib.sh"
torus_platform 128 8,4,4
sed 's/bw="2GBps" lat="50ns"/bw="1GBps" lat="17ns"/' torus.xml >other.xml
simulate() {  # PLATFORM RANKS WORK_NS: PLATFORM.RANKS.trace
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$1.$2.trace smpirun -np "$2" \
    -platform "$1.xml" --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
    --log=root.thresh:critical "$build/bin/smpi/stencil2d.recorded" \
    --global 576x576 --steps 10 --work-ns "$3" \
    >out.txt 2>&1 || { cat out.txt >&2; fail "simulation of $1 at $2"; }
}
for ranks in 4 8 16 32; do simulate torus $ranks $((4000000 / ranks)); done
simulate other 64 $((2000000 / 64))
cat >other.json <<'JSON'
{"compute": 0.5,
 "messages": [{"bytes": 8, "ratio": 0.34}, {"bytes": 100000, "ratio": 2}]}
JSON
"$ranksight" forecast torus.*.trace --ranks 64 --machine other.json --json \
  >there.json || fail "forecast"
"$ranksight" forecast torus.*.trace --ranks 64 --json >here.json
"$ranksight" show other.64.trace --json >truth.json || fail "show"
python3 - <<'PY' || fail "the forecast is far off"
import json, sys
there, here = [json.load(open(f + ".json")) for f in ("there", "here")]
truth = json.load(open("truth.json"))["elapsed_ns"]["max"] / 1e9
point = there["points"][0]
print(point, here["points"][0], truth, file=sys.stderr)
sys.exit(point["refused"] or abs(point["seconds"] / truth - 1) > 0.15 or
         there["machine"]["compute"] != 0.5 or here["machine"] is not None)
PY

# Measured for real, and compared with itself: what is forecast here.
"$ranksight" machine measure -o times.json >out.txt 2>err.txt ||
  { cat err.txt >&2; fail "measure"; }
"$ranksight" machine compare times.json times.json -o same.json >out.txt ||
  fail "compare"
grep -q "computation x1, messages x1 (1 bytes) to x1" out.txt ||
  { cat out.txt >&2; fail "a machine differs from itself"; }
"$ranksight" forecast torus.*.trace --ranks 64 --machine same.json --json \
  >same_machine.json || fail "forecast of the same machine"
python3 - <<'PY' || fail "the same machine takes another time"
import json, sys
a, b = [json.load(open(f + ".json"))["points"][0]
        for f in ("same_machine", "here")]
sys.exit(abs(a["seconds"] / b["seconds"] - 1) > 1e-9)
PY

echo '{"compute": 1, "speed": 2}' >wrong.json
"$ranksight" forecast torus.*.trace --ranks 64 --machine wrong.json 2>err.txt
[ $? = 3 ] && grep -q "wrong.json:0: .*speed" err.txt || fail "a wrong file"
"$ranksight" forecast torus.*.trace --ranks 64 --machine none.json 2>err.txt
[ $? = 4 ] || fail "a missing file"
"$ranksight" forecast torus.*.trace --ranks 64 --machine same.json \
  --models classic 2>err.txt
[ $? = 2 ] || fail "without the walk"
"$ranksight" machine measure --launcher false -o no.json 2>err.txt
[ $? = 4 ] && [ ! -e no.json ] || fail "a launcher that fails"
