#!/usr/bin/env bash
# Who passes a block on and who tells all folds into loops of unlike steps, and
# the last calls of the program are in them: a twin is made, and all of its ranks
# end once. Its sends may come a step before they are received; they are short, so
# that MPI takes them.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/passed_back"
must_record real.trace 24 "$apps/passed_back"
must_count twin real
for rank in {0..23}; do
  "$ranksight" show twin.trace --events --rank "$rank" >"calls.$rank" ||
    fail "rank $rank"
  [ "$(grep -n '^MPI_Finalize' "calls.$rank" | cut -d: -f1)" = \
    "$(wc -l <"calls.$rank")" ] || fail "rank $rank: $(tail -n 3 "calls.$rank")"
done
python3 - <<'END' || fail "unlike a run: $(cat report.txt)"
import json, re
def of(file):
    return {c["call"]: c for c in json.load(open(file))["calls"]}
twin, real = of("twin.json"), of("real.json")
for call in "MPI_Bcast", "MPI_Reduce", "MPI_Finalize":
    assert twin[call]["count"] == real[call]["count"], call
line = re.search(r"estimated: MPI_Send .*?: (\d+) ± (\d+) messages, "
                 r"(\d+) ± (\d+) bytes", open("report.txt").read())
n, n_width, size, width = map(int, line.groups())
assert abs(n - real["MPI_Send"]["count"]) <= n_width
assert abs(size - real["MPI_Send"]["sent_bytes"]) <= width
END
