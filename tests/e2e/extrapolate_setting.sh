#!/usr/bin/env bash
# A size of the problem that nobody ran, on as many ranks as nobody had: from
# real runs at three sizes, held against a real run. Refused where runs are
# missing, and where the program works another way at one size.
. "$(dirname "$0")/lib.sh"
run() {  # RANKS SIZE OPTIONS...: RANKS.SIZE.trace
  local ranks=$1 size=$2
  shift 2
  RANKSIGHT_PARAMS="size=$size" must_record "$ranks.$size.trace" "$ranks" \
    "$build/bin/stencil2d" --steps 4 --global "${size}x$size" "$@"
}
for ranks in 4 9 16; do
  for size in 100 144 180; do run $ranks $size; done
done
run 36 211

"$ranksight" extrapolate {4,9,16}.*.trace --ranks 36 --param size=211 --exact \
  -o guess.trace >out.txt 2>err.txt || { cat err.txt >&2; fail "extrapolate"; }
grep -q "^held out: all runs at size=180 predicted from those at the others" \
  out.txt || fail "$(cat out.txt)"
identical guess.trace 36.211.trace
"$build/bin/same_values" guess.trace 36.211.trace >&2 || fail "values differ"
"$ranksight" show guess.trace --json >show.json || fail "show"
"$ranksight" extrapolate {4,9,16}.*.trace --ranks 36 --param size=211 --exact \
  --json -o guess.trace >out.json || fail "extrapolate --json"
python3 - <<'PY' || fail "what is said of the setting"
import json, sys
setting = json.load(open("out.json"))["setting"]
shown = json.load(open("show.json"))
sys.exit((setting["name"], setting["value"], setting["held_out"]) !=
         ("size", 211, [180]) or setting["values"] != [100, 144, 180] or
         setting["held_out_events"] < 100 or
         shown["params"] != {"size": "211"} or not shown["elapsed_ns"]["max"])
PY

# Runs at two sizes say nothing of a third; each size needs its rank counts.
expect_exit 2 "$ranksight" extrapolate {4,9,16}.{100,144}.trace --ranks 36 \
  --param size=211 -o no.trace
grep -q "three values at least" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" extrapolate {4,9,16}.{100,144}.trace 4.180.trace \
  --ranks 36 --param size=211 -o no.trace
grep -q "size=180: 4 ranks; laws need three" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" extrapolate {4,9,16}.*.trace --ranks 36 \
  --param steps=8 -o no.trace
grep -q "made without steps" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" extrapolate {4,9,16}.*.trace --ranks 36 \
  --param size=big -o no.trace

# From some size on the ends of the field are neighbours.
for ranks in 4 9 16; do run $ranks 180 --periodic; done
expect_exit 1 "$ranksight" extrapolate {4,9,16}.*.trace --ranks 36 \
  --param size=211 --exact -o no.trace
grep -q "size" err.txt || fail "$(cat err.txt)"
[ ! -e no.trace ] || fail "a trace was written"
