#!/usr/bin/env bash
# Neighbours drawn from a seed, by a law from a library: exact where the
# library is given, refused by name where a trace needs it and it is not.
. "$(dirname "$0")/lib.sh"
library=$build/lib/librandom_peers_law.so
# Walks are relied on where they meet the runs, which wall time of ranks that
# share cores decides by chance: here the network is given instead.
export RANKSIGHT_CLOCK=cpu
record_sizes 4,5,6 "$apps/random_peers"
must_record real.trace 9 "$apps/random_peers"
must_extrapolate "${inputs[@]}" --ranks 9 --plugin "$library" --laws \
  -o guess.trace
grep -q 'peer = next_on_ring()' report.txt || fail "the law has no name"
identical guess.trace real.trace

must_extrapolate "${inputs[@]}" --ranks 9 --plugin "$library" --symbolic \
  -o laws.trace
must_extrapolate laws.trace --ranks 9 --plugin "$library" -o again.trace
identical again.trace real.trace
expect_exit 1 "$ranksight" extrapolate laws.trace --ranks 9 -o none.trace
grep -q 'needs the law next_on_ring, which no library given' err.txt ||
  fail "no law named: $(cat err.txt)"
[ ! -e none.trace ] || fail "refused, but a trace was written"

"$ranksight" replay laws.trace --ranks 4 --plugin "$library" --no-compute \
  --launcher "$launcher" --record replayed.trace >report.txt 2>&1 || {
  cat report.txt >&2
  fail "replay by the laws"
}
identical replayed.trace 4.trace

# Forecasts walk along a trace that needs the law; without it along a twin at
# most, where what was measured lets them. `study` finds it, too.
"$ranksight" forecast "${inputs[@]}" --ranks 9 >out.txt
! grep -q 'walked along the extrapolated trace' out.txt ||
  fail "walked without the law: $(cat out.txt)"
"$ranksight" forecast "${inputs[@]}" --ranks 9 --json >out.json
twin=no marked=no
grep -q 'walked along a twin (estimated structure)' out.txt && twin=yes
grep -q '"estimated_structure": *true' out.json && marked=yes
[ $twin = $marked ] || fail "text and JSON differ: $(cat out.txt out.json)"
"$ranksight" forecast "${inputs[@]}" --ranks 9 --plugin "$library" >out.txt
grep -q 'walked along the extrapolated trace' out.txt ||
  fail "not walked: $(cat out.txt)"
"$ranksight" study --ranks 4,5,6 --extrapolate 9 --plugin "$library" \
  --launcher "$launcher -n {ranks}" --folder study -o studied.trace \
  -- "$apps/random_peers" >out.txt 2>err.txt || fail "study: $(cat err.txt)"
identical studied.trace real.trace
grep -q 'next_on_ring()' study/report.html || fail "no law in the report"

# What is no library of laws is refused, and what has the same laws again.
expect_exit 2 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 \
  --plugin "$runtime" -o none.trace
grep -q 'exports no ranksight_laws' err.txt || fail "wrong reason"
expect_exit 2 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 \
  --plugin "$library" --plugin "$library" -o none.trace
grep -q 'has the name of another: next_on_ring' err.txt || fail "wrong reason"
expect_exit 2 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 \
  --plugin ./missing.so -o none.trace
expect_exit 0 "$ranksight" show "${inputs[0]}" --laws
[ ! -s out.txt ] && grep -q 'carries no laws: .ranksight extrapolate' err.txt ||
  fail "a recorded trace's laws: $(cat out.txt err.txt)"
