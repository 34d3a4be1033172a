#!/usr/bin/env bash
# What MPI_Dims_create was asked and gave stands in the trace: of programs in C
# and Fortran, and of one that makes its grid itself that there was none.
. "$(dirname "$0")/lib.sh"
must_record grid.trace 6 "$apps/wavefront"
"$ranksight" show grid.trace >shown.txt || fail "show"
grep -qx 'grids  *6 as 3x2 (MPI_Dims_create)' shown.txt ||
  fail "$(cat shown.txt)"
"$ranksight" show --json grid.trace | python3 -c '
import json, sys
made = json.load(sys.stdin)["made_dims"]
assert made == [{"nodes": 6, "asked": [0, 0], "dims": [3, 2]}], made
' || fail "JSON"
must_record none.trace 4 "$apps/ring"
"$ranksight" show none.trace | grep -q '^grids' && fail "a grid of nobody"
"$ranksight" show --json none.trace | grep -q '"made_dims": *\[\]' ||
  fail "nobody looked"
for form in mpif f08; do
  [ -x "$apps/fortran_$form" ] || continue
  must_record "$form.trace" 4 "$apps/fortran_$form"
  "$ranksight" show "$form.trace" >shown.txt || fail "show, $form"
  grep -q '^grids  *4 as 2x2 (MPI_Dims_create)' shown.txt ||
    fail "$form: $(cat shown.txt)"
done
# What nobody ran has none.
for ranks in 4 8; do
  must_record "$ranks.trace" "$ranks" "$apps/wavefront"
done
"$ranksight" extrapolate 4.trace grid.trace 8.trace --ranks 12 -o 12.trace \
  >out.txt || fail "extrapolate: $(cat out.txt)"
"$ranksight" show 12.trace | grep -q '^grids' && fail "a grid of no run"
exit 0
