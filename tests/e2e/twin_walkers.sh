#!/usr/bin/env bash
# Messages come and go until a sum of all ranks is 0, which follows no law: a twin
# is made in which both ends of each are between the same sums, and all are within
# the first call of the program and the last.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/walkers"
grep '^estimated: MPI_Isend ' report.txt >sends.txt ||
  fail "not marked: $(cat report.txt)"
for rank in {0..23}; do
  "$ranksight" show twin.trace --events --rank "$rank" >"calls.$rank" ||
    fail "rank $rank"
  [ "$(sed -n 1p "calls.$rank")" = MPI_Init ] || fail "$(head -3 "calls.$rank")"
done
python3 - <<'END' || fail "ends are apart"
import collections, re
ends = collections.Counter()
for rank in range(24):
    sums = 0
    for line in open(f"calls.{rank}"):
        sums += line.startswith("MPI_Allreduce")
        at = re.match(r"MPI_I(send|recv) .*peer=(\d+) tag=(\d+)", line)
        if not at: continue
        sends, peer, tag = at[1] == "send", int(at[2]), at[3]
        pair = (rank, peer) if sends else (peer, rank)
        ends[pair, tag, sums] += 1 if sends else -1
assert ends and not any(ends.values()), [e for e in ends.items() if e[1]][:3]
END
