#!/usr/bin/env bash
# Partners drawn from a seed have no law: a twin is made, the same each time,
# marked wherever one looks, with as many messages as a real run has about, and
# it runs.
. "$(dirname "$0")/lib.sh"
record_sizes 6,8,12,16 "$apps/table_peers"
must_extrapolate "${inputs[@]}" --ranks 24 -o twin.trace
grep -q '^estimated: MPI_Irecv at .* ± .* messages' report.txt ||
  fail "not marked: $(cat report.txt)"
grep -q 'MPI_Allreduce' report.txt && fail "exact, and marked"
cp report.txt first.txt
must_extrapolate "${inputs[@]}" --ranks 24 -o again.trace
cmp twin.trace again.trace || fail "another twin from the same inputs"
must_extrapolate "${inputs[@]}" --ranks 24 --seed 2 -o other.trace
cmp -s twin.trace other.trace && fail "the same twin from another seed"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 24 --exact \
  -o exact.trace
[ ! -e exact.trace ] || fail "refused, but a trace was written"

"$ranksight" show twin.trace >show.txt || fail "show"
grep -q '^twin .* call sites estimated' show.txt || fail "$(cat show.txt)"
grep -q 'call_sites_estimated' show.txt || fail "no loss: $(cat show.txt)"
"$ranksight" replay twin.trace --check >check.txt || fail "$(cat check.txt)"
LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay twin.trace \
  --no-compute --launcher "$launcher -n {ranks}" --stall 600 --record ran.trace
identical ran.trace twin.trace

"$ranksight" show twin.trace --tree >tree.txt || fail "show --tree"
grep -q '^ *~MPI_Irecv ' tree.txt || fail "not marked: $(cat tree.txt)"
grep -q '~MPI_Allreduce' tree.txt && fail "exact, and marked"
"$ranksight" matrix twin.trace --json >matrix.json 2>err.txt || fail "matrix"
grep -q 'a twin' err.txt || fail "$(cat err.txt)"
python3 - matrix.json <<'END' || fail "matrix not marked"
import json, sys
assert json.load(open(sys.argv[1]))["estimated"] is True
END

must_record real.trace 24 "$apps/table_peers"
expect_exit 1 "$ranksight" diff twin.trace real.trace
grep -q '^~MPI_Isend ' out.txt || fail "no distributions: $(cat out.txt)"
expect_exit 1 "$ranksight" diff twin.trace real.trace --literal
grep -q '^~' out.txt && fail "distributions of calls as written"
"$ranksight" diff twin.trace real.trace --json >diff.json
python3 - diff.json <<'END' || fail "distributions"
import json, sys
sites = {s["call"]: s for s in json.load(open(sys.argv[1]))["sites"]}
sends, sums = sites["MPI_Isend"], sites["MPI_Allreduce"]
assert sends["estimated"] and not sums["estimated"]
assert sums["calls"]["off"] == sums["calls"]["apart"] == 0
calls = sends["calls"]
assert abs(abs(calls["a"] - calls["b"]) / calls["b"] - calls["off"]) < 1e-9
assert calls["apart"] >= calls["off"]
END
must_count twin real
python3 - <<'END' || fail "unlike the real run"
import json
def of(file):
    return {c["call"]: c for c in json.load(open(file))["calls"]}
twin, real = of("twin.json"), of("real.json")
assert twin["MPI_Allreduce"]["count"] == real["MPI_Allreduce"]["count"]
for key in ("count", "sent_bytes"):
    a, b = twin["MPI_Isend"][key], real["MPI_Isend"][key]
    assert abs(a / b - 1) < 0.4, (key, a, b)
assert twin["MPI_Irecv"]["count"] == twin["MPI_Isend"]["count"]
END
