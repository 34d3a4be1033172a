#!/usr/bin/env bash
# Recording under SimGrid's SMPI: the events of a run on MPICH, simulated
# times to the nanosecond, and the same trace whenever it is run again.
. "$(dirname "$0")/lib.sh"
ranks=16
arguments=(--size 8x8 --steps 20 --work-ns 100000 --periodic)
torus_platform
simulate() {
  smpirun -np "$ranks" -platform torus.xml --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --cfg=smpi/display-timing:yes \
    --log=xbt_cfg.thresh:warning "$@" "${arguments[@]}" 2>err.txt || {
    cat err.txt >&2
    fail "smpirun $*"
  }
}
simulate "$build/bin/smpi/stencil2d" >plain.out
end_ns=$(sed -n 's/.*Simulated time: \([0-9.e-]*\) .*/\1/p' err.txt |
  awk '{printf "%d", $1 * 1e9}')
for run in first second; do
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$run.trace \
    simulate "$build/bin/smpi/stencil2d.recorded" >$run.out
  diff plain.out $run.out >&2 || fail "output differs"
  "$ranksight" stats $run.trace --json >$run.json || fail "stats"
done
cmp first.json second.json || fail "two simulations differ"

must_record real.trace "$ranks" "$examples/stencil2d" "${arguments[@]}"
identical real.trace first.trace

# 20 steps of 100 us on each of 16 ranks; the last rank ends when the plain
# program ends, which smpirun prints to six digits.
"$ranksight" show first.trace --json >show.json || fail "show"
python3 - "$end_ns" <<'PY' || fail "simulated times"
import json, sys
end = int(sys.argv[1])
computed = json.load(open("first.json"))["total"]["compute_ns"]
elapsed = json.load(open("show.json"))["elapsed_ns"]["max"]
print(f"computed {computed} elapsed {elapsed} of {end}", file=sys.stderr)
sys.exit(abs(computed - 16 * 20 * 100000) > 16 or
         abs(elapsed - end) > end * 1e-5)
PY
