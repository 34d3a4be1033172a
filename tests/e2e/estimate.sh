#!/usr/bin/env bash
# Amounts that balance only on average are refused with --exact, and estimated
# else: marked, about as many as in a real run, and replayed.
. "$(dirname "$0")/lib.sh"
record_sizes 2,3,4,6 "$apps/buckets"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 --exact -o guess.trace
[ ! -e guess.trace ] || fail "refused, but a trace was written"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 --exact \
  --limit 0.000001 -o guess.trace
grep -q 'the search for laws ended after 1e-06 s (--limit' err.txt ||
  fail "no limit: $(cat err.txt)"
[ ! -e guess.trace ] || fail "out of time, but a trace was written"
must_extrapolate "${inputs[@]}" --ranks 9 --laws -o guess.trace
grep -q "2 estimated" report.txt || fail "not marked as estimates"
grep -q "^estimated: MPI_Alltoallv at" report.txt || fail "no call site named"
grep -q "counts = an estimate" report.txt ||
  fail "not marked among the laws: $(cat report.txt)"
must_record real.trace 9 "$apps/buckets"

# What scripts say that ask for estimates changes nothing.
for flag in --allow-estimates --mean-estimates; do
  must_extrapolate "${inputs[@]}" --ranks 9 "$flag" -o asked.trace
  cmp guess.trace asked.trace || fail "$flag makes another trace"
  expect_exit 2 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 "$flag" \
    --exact -o none.trace
done

LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay guess.trace \
  --no-compute --launcher "$launcher -n {ranks}" --stall 600 --record again.trace
grep -q 'cannot be replayed' err.txt && fail "$(cat err.txt)"
for trace in guess again real; do
  "$ranksight" stats "$trace.trace" --json >"$trace.json" || fail "stats"
done
python3 - <<'END' || fail "unlike the real run"
import json
def of(file):
    (call,) = (c for c in json.load(open(file))["calls"]
               if c["call"] == "MPI_Alltoallv")
    return [call[k] for k in ("count", "sent_bytes", "posted_bytes")]
guess, again, real = of("guess.json"), of("again.json"), of("real.json")
assert guess == again, (guess, again)
assert guess[0] == real[0] > 0
assert all(abs(a / r - 1) < 0.05 for a, r in zip(guess, real)), (guess, real)
END

# Laws for any number of ranks have no estimates in them.
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 9 --symbolic \
  -o laws.trace

# Where in a file ranks write, and how much, is estimated like other amounts.
record_sizes 2,3,4,6 "$apps/ragged_file"
must_extrapolate "${inputs[@]}" --ranks 9 -o file.trace
grep -q '^estimated: MPI_File_seek at ' report.txt ||
  fail "no offset estimated: $(cat report.txt)"
must_record file_real.trace 9 "$apps/ragged_file"
for trace in file file_real; do
  "$ranksight" show "$trace.trace" --events --rank 8 >"$trace.txt" || fail "show"
done
python3 - <<'END' || fail "the file is unlike the real run's"
import re
def of(file):
    return re.findall(r"(MPI_File_\w+)(?: bytes=(\d+))?", open(file).read())
twin, real = of("file.txt"), of("file_real.txt")
assert [c for c, n in twin] == [c for c, n in real], (twin, real)
(written,) = (int(n) for c, n in twin if c == "MPI_File_write")
assert 800 <= written <= 4000, written
END
