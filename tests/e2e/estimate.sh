#!/usr/bin/env bash
# Amounts that balance only on average are refused, and estimated where asked:
# marked, with the total of a real run.
. "$(dirname "$0")/lib.sh"
record_sizes 2,3,4,6 "$apps/buckets"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 --exact -o guess.trace
[ ! -e guess.trace ] || fail "refused, but a trace was written"
must_extrapolate "${inputs[@]}" --ranks 9 --allow-estimates --laws \
  -o guess.trace
grep -q "2 estimated" report.txt || fail "not marked as estimates"
grep -q "an estimate, all ranks together 4096\*N" report.txt ||
  fail "no law for the total"
must_record real.trace 9 "$apps/buckets"
for trace in guess real; do
  "$ranksight" stats "$trace.trace" --json >"$trace.json" || fail "stats"
  python3 - "$trace.json" >"$trace.bytes" <<'END'
import json, sys
for call in json.load(open(sys.argv[1]))["calls"]:
    if call["call"] == "MPI_Alltoallv":
        print(call["count"], call["sent_bytes"], call["posted_bytes"])
END
done
[ -s real.bytes ] || fail "no total of MPI_Alltoallv"
cmp guess.bytes real.bytes || fail "totals differ"

# As means they can be replayed; the total is off by rounding alone.
must_extrapolate "${inputs[@]}" --ranks 9 --mean-estimates -o mean.trace
grep -q "2 estimated" report.txt || fail "not marked as estimates"
"$ranksight" show mean.trace | grep -q values_replaced_by_means ||
  fail "means that nothing marks"
LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay mean.trace \
  --no-compute --launcher "$launcher -n {ranks}" --stall 600 --record again.trace
grep -q 'cannot be replayed' err.txt && fail "$(cat err.txt)"
grep -q 'replayed as means of what they were' err.txt || fail "$(cat err.txt)"
for trace in again real; do
  "$ranksight" stats "$trace.trace" --json >"$trace.json" || fail "stats"
done
python3 - <<'END' || fail "totals of the replay"
import json
def of(file):
    (call,) = (c for c in json.load(open(file))["calls"]
               if c["call"] == "MPI_Alltoallv")
    return [call[k] for k in ("count", "sent_bytes", "posted_bytes")]
again, real = of("again.json"), of("real.json")
assert again[0] == real[0] > 0
assert all(abs(a / r - 1) < 0.002 for a, r in zip(again, real)), (again, real)
END
expect_exit 2 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 \
  --mean-estimates --symbolic -o laws.trace

# A program would need single amounts.
must_extrapolate "${inputs[@]}" --ranks 9 --allow-estimates --symbolic \
  -o laws.trace
expect_exit 1 "$ranksight" generate laws.trace --to c -o made
grep -q 'only estimated' err.txt || fail "$(cat err.txt)"
