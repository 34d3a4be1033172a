#!/usr/bin/env bash
# What-if forecasts: runs in simulated time on a fat tree with one link upwards
# from a switch, and larger runs of a program with other computation, with longer
# messages, and on a fat tree with four links, held against what is forecast.
. "$(dirname "$0")/lib.sh"
torus_platform 64 4,4,4
sed 's/TORUS/FAT_TREE/; s/"4,4,4"/"2;4,16;1,1;1,1"/' torus.xml >tree.xml
sed 's/"2;4,16;1,1;1,1"/"2;4,16;1,4;1,1"/' tree.xml >wide.xml
seq 0 63 | sed 's/^/n/' >hosts.txt
simulate() {  # OUT PLATFORM RANKS SIDE WORK_NS
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$1 smpirun -np "$3" \
    -platform "$2.xml" -hostfile hosts.txt --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
    "$build/bin/smpi/stencil2d.recorded" --size "$4x$4" --steps 4 \
    --work-ns "$5" >out.txt 2>&1 ||
    { cat out.txt >&2; fail "simulation of $1"; }
}
for ranks in 4 8 16 32; do simulate run.$ranks.trace tree "$ranks" 400 50000; done
simulate faster.truth tree 64 400 12500
simulate longer.truth tree 64 800 50000
simulate wide.truth wide 64 400 50000
# All messages of the runs are of two lengths.
smpirun -np 2 -platform tree.xml -hostfile hosts.txt --cfg=smpi/wtime:0 \
  --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
  "$build/bin/ranksight-measure-smpi" --messages >tree.json || fail "measuring"
guess() { "$ranksight" forecast run.*.trace --ranks 64 --tree 4,1 "$@"; }
forecast() { guess --messages tree.json "$@"; }
met() {  # FORECAST TRUTH: within 5 %, or where it is so, in a wide interval
  "$ranksight" show "$2" --json >truth.json || fail "show $2"
  python3 - "$1" <<'PY' || fail "$1 is far from $2"
import json, sys
made = json.load(open(sys.argv[1]))
made = made["cases"][-1]["forecast"] if "cases" in made else made
point = made["points"][0]
truth = json.load(open("truth.json"))["elapsed_ns"]["max"] / 1e9
print(point, truth, file=sys.stderr)
wide = point["high"] - point["low"] > 0.4 * point["seconds"]
sys.exit(point["refused"] or not (
    point["low"] < truth < point["high"] if wide else
    abs(point["seconds"] / truth - 1) < 0.05))
PY
}
forecast --json --compute-scale 0.25 >faster.json || fail "faster"
met faster.json faster.truth
forecast --json --site-scale stencil2d=0.25 >sites.json || fail "sites"
met sites.json faster.truth
forecast --json --bytes-scale 2 >longer.json || fail "longer"
met longer.json longer.truth
guess --json --bytes-scale 2 >guessed.json || fail "a guess of longer ones"
met guessed.json longer.truth
grep -q '"what_if": "messages x2"' longer.json || fail "what if is not said"
forecast --json --vary topology=fat-tree:4x16:1x4 >wide.json || fail "wide"
met wide.json wide.truth
forecast --json >as_is.json || fail "as it is"

# A table of cases says what each forecast alone does.
forecast --vary compute-scale=1,0.25 --vary bytes-scale=1,2 --json >cases.json ||
  fail "cases"
python3 - <<'PY' || fail "cases differ from forecasts of their own"
import json, sys
cases = {tuple(c["options"].values()): c["forecast"]
         for c in json.load(open("cases.json"))["cases"]}
one = lambda name: json.load(open(name + ".json"))["points"]
assert list(cases) == [("1", "1"), ("1", "2"), ("0.25", "1"), ("0.25", "2")]
assert cases["1", "1"]["points"] == one("as_is")
assert cases["1", "2"]["points"] == one("longer")
assert cases["0.25", "1"]["points"] == one("faster")
PY
expect_exit 0 "$ranksight" forecast run.*.trace --ranks 32,64 --tree 4,1 \
  --messages tree.json --vary compute-scale=1,0.25
[ "$(wc -l <out.txt)" = 5 ] && grep -q '^   64 .* 100.0 %  1$' out.txt ||
  fail "$(cat out.txt)"
expect_exit 0 "$ranksight" forecast run.*.trace --ranks 64 \
  --vary network=hdr-infiniband,10g-ethernet --vary topology=fat-tree:4x16:1x1
[ "$(wc -l <out.txt)" = 3 ] || fail "$(cat out.txt)"

refused() {  # TEXT OPTION...
  local text=$1
  shift
  expect_exit 2 "$ranksight" forecast run.*.trace --ranks 64 "$@"
  grep -q -e "$text" err.txt || fail "$* says $(cat err.txt)"
}
refused "forecast cannot: it knows collectives" --exchange all=p2p
refused "no call site holds 'nowhere'" --site-scale nowhere=2
refused "need the walk" --compute-scale 2 --laws-only
refused "needs the walk" --vary bytes-scale=1 --laws-only
refused "varied can be compute-scale" --vary limit=1,2
refused "another network" --vary topology=fat-tree:4x16:1x4
