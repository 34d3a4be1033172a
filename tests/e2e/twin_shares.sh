#!/usr/bin/env bash
# All small runs divide what models share out, and the largest and the target do
# not: a twin is made in which no share is more than an element off.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/even_shares"
grep '^estimated: MPI_Sendrecv ' report.txt >sends.txt ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/even_shares"
must_count twin real
for trace in twin real; do
  for rank in {0..23}; do
    "$ranksight" show "$trace.trace" --events --rank "$rank" |
      grep -E '^MPI_(Sendrecv|Gatherv)' >"$trace.$rank" || fail "rank $rank"
  done
done
python3 - <<'END' || fail "unlike a run: $(head -n 2 twin.0 real.0)"
import json, re
def bytes_of(file):
    return [(call, int(of)) for call, of in
            re.findall(r"^(MPI_\w+).*? bytes=(\d+)", open(file).read(), re.M)]
for r in range(24):
    twin, real = bytes_of(f"twin.{r}"), bytes_of(f"real.{r}")
    assert len(twin) == len(real) >= 10, r
    for (a, n), (b, m) in zip(twin, real):
        assert a == b and abs(n - m) <= 8, (r, a, n, b, m)
def given(rank, key):
    return [int(v) for v in re.findall(rf"MPI_Gatherv.*? {key}=(\d+)",
                                       open(f"twin.{rank}").read())]
for first, end in (0, 16), (16, 24):
    ranks = [given(r, "bytes") for r in range(first, end)]
    assert given(first, "rbytes") == [sum(of) for of in zip(*ranks)], first
# The stated interval holds.
line = open("sends.txt").read()
n, width = map(int, re.search(r"(\d+) ± (\d+) bytes", line).groups())
real = next(c for c in json.load(open("real.json"))["calls"]
            if c["call"] == "MPI_Sendrecv")
assert abs(n - real["sent_bytes"]) <= width, (line, real)
