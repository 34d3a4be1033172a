#!/usr/bin/env bash
# check.sh PROGRAM: a baseline is about a kilobyte and the same whatever is done
# twice; a build that is as before passes, and each change is named, in every
# form. PROGRAM is tests/apps/checked.c.
. "$(dirname "$0")/lib.sh"
program=$1
baseline=ranksight.baseline
export RANKSIGHT_BINARIES=$program

runs() {  # NAME CHANGE
  local ranks
  for ranks in 2 4 8; do
    must_record "$1.$ranks.trace" "$ranks" "$program" 10 0.01 "$2"
  done
}
check() { "$ranksight" check --against "$baseline" "$@"; }

runs base none
expect_exit 0 check --accept base.*.trace
grep -q "^wrote $baseline: [0-9]* bytes$" out.txt || fail "$(cat out.txt)"
cp "$baseline" first
expect_exit 0 check --accept base.8.trace base.4.trace base.2.trace
cmp first "$baseline" || fail "another order of traces, another baseline"
[ "$(wc -c <"$baseline")" -lt 1500 ] || fail "$(wc -c "$baseline")"
head -n 2 "$baseline" | tr '\n' ' ' |
  grep -q '^ranksight baseline 1 program checked $' || fail "$(cat "$baseline")"
grep -q '^40 20480 4 MPI_Sendrecv Exchange < main' "$baseline" ||
  fail "$(cat "$baseline")"

runs same none
expect_exit 0 check same.*.trace
tail -n 1 out.txt | grep -qx same || fail "$(cat out.txt)"

named() {  # CHANGE CALL PLACE WHAT: `check` says so
  runs "$1" "$1"
  expect_exit 1 check --junit junit.xml --markdown says.md "$1".*.trace
  grep -q "^  $2 in $3: $4.*: worse$" out.txt || fail "$1: $(cat out.txt)"
  [ "$(grep -c '^  ' out.txt)" -eq "${5:-1}" ] || fail "$1: $(cat out.txt)"
  grep -q "<failure message=\"$4" junit.xml || fail "$(cat junit.xml)"
  grep -q "^| .$2 in $3.*| worse |$" says.md || fail "$(cat says.md)"
}
named allreduce MPI_Allreduce 'Sum < main' \
  'calls 20 -&gt; 40 at 2\|calls 20 -> 40 at 2' 2
named halo MPI_Sendrecv 'Exchange < main' \
  'bytes 10240 -&gt; 20480 at 2\|bytes 10240 -> 20480 at 2'
named neighbour MPI_Sendrecv 'Exchange < main' 'pairs 4 -&gt; 8\|pairs 2' 3
named gather MPI_Allgather 'Gather < main' 'bytes 16 -'
grep -q 'grew as N, grows as N^2: worse$' out.txt || fail "$(cat out.txt)"

# Less is better, and no reason to fail.
runs more allreduce
expect_exit 0 "$ranksight" check --against more.2.trace --no-time same.2.trace
tail -n 1 out.txt | grep -qx better || fail "$(cat out.txt)"

# One run of each says nothing of times, and other rank counts of nothing.
expect_exit 5 "$ranksight" check --against base.2.trace same.2.trace
grep -q '^time at 2 ranks: cannot tell, .*it takes 7 pairs of runs, and there are 1$' \
  out.txt || fail "$(cat out.txt)"
expect_exit 5 "$ranksight" check --against base.4.trace --no-time same.2.trace
grep -q 'no rank count is in both' out.txt || fail "$(cat out.txt)"

# Whether such short runs can be forecast is a matter of time.
for seconds in 1e9 1e-12; do
  check --within "$seconds" --ranks 8 same.*.trace >out.txt
  case $seconds:$? in
    1e9:0 | 1e-12:1 | *:5) ;;
    *) fail "$(cat out.txt)" ;;
  esac
  grep -q '^budget at 8 ranks: ' out.txt || fail "$(cat out.txt)"
done
expect_exit 2 check --within 3 same.*.trace

# What other tools read, by tools that are not ours.
expect_exit 1 check --json --benchmark benchmark.json --junit junit.xml \
  halo.*.trace
python3 - out.txt benchmark.json junit.xml <<'PY' || fail "other tools"
import json, sys, xml.etree.ElementTree as tree
said = json.load(open(sys.argv[1]))
assert said["verdict"] == "worse", said
change, = said["communication"]["changes"]
assert (change["call"], change["quantity"]) == ("MPI_Sendrecv", "bytes")
assert change["sizes"][1] == {"ranks": 4, "before": [20480, 20480],
                              "after": [40960, 40960]}, change
rows = json.load(open(sys.argv[2]))
assert all(set(r) == {"name", "unit", "value", "range"} for r in rows)
assert len(rows) == 6, rows
suite = tree.parse(sys.argv[3]).getroot()
assert suite.get("failures") == "2" and len(suite) == 2, suite.attrib
PY

# What is no baseline is not taken for one, and not written over.
expect_exit 2 "$ranksight" check --against base.2.trace --accept same.2.trace
echo notes >notes.txt
expect_exit 2 "$ranksight" check --against notes.txt --accept same.2.trace
[ "$(cat notes.txt)" = notes ] || fail "notes.txt was written"
sed 's/^40 /4x /' first >damaged
expect_exit 3 "$ranksight" check --against damaged same.2.trace
grep -q 'damaged:[0-9]*: expected' err.txt || fail "$(cat err.txt)"
