#!/usr/bin/env bash
# tuned.sh RANKS TORUS PROGRAM ARGS...
# A replay tuned for a torus makes the same calls with the same arguments, each
# with the same calls around it but for posts in a row, which may change places:
# never a receive, never two sends to the same rank.
. "$(dirname "$0")/lib.sh"
ranks=$1 torus=$2
shift 2
must_record run.trace "$ranks" "$@"
replay_tuned() {  # TUNING
  LD_PRELOAD=$yield_preload "$ranksight" replay run.trace --no-compute \
    --launcher "$launcher" --torus "$torus" --tune "$1" --json \
    --record tuned.trace >replay.json 2>replay.err || {
    cat replay.json replay.err >&2
    fail "replay tuned by $1"
  }
  python3 - "$ranksight" "$ranks" <<'PY' || fail "tuned by $1"
import itertools, subprocess, sys
def batches(trace, rank):
    lines = subprocess.run([sys.argv[1], "show", trace, "--events", "--rank",
                            str(rank)], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    posts = lambda line: line.split()[0] in ("MPI_Isend", "MPI_Issend",
                                             "MPI_Irecv")
    return [(kind, list(group))
            for kind, group in itertools.groupby(lines, posts)]
def by_destination(sends):
    order = {}
    for line in sends:
        order.setdefault(tuple(line.split()[1:3]), []).append(line)
    return order
for rank in range(int(sys.argv[2])):
    plain, tuned = batches("run.trace", rank), batches("tuned.trace", rank)
    assert len(plain) == len(tuned), rank
    for (kind, before), (same_kind, after) in zip(plain, tuned):
        assert kind == same_kind, rank
        if not kind:
            assert before == after, (rank, before, after)
            continue
        receives = [e for e in before if e.startswith("MPI_Irecv")]
        assert after[:len(receives)] == receives, (rank, before, after)
        sends = [e for e in before if not e.startswith("MPI_Irecv")]
        assert by_destination(sends) == by_destination(after[len(receives):])
PY
  moved=$(python3 -c 'import json; print(json.load(open("replay.json"))["posts_moved"])')
  [ "$moved" -gt 0 ] || fail "nothing moved by $1"
}
replay_tuned order,balance,pace

replay_recorded run.trace again.trace
identical run.trace again.trace
expect_exit 2 "$ranksight" replay run.trace --tune order --launcher "$launcher"
expect_exit 2 "$ranksight" replay run.trace --tune best --torus "$torus" \
  --launcher "$launcher"
expect_exit 2 "$ranksight" replay run.trace --tune order --torus 1x1x1x1 \
  --ranks-per-node 1 --launcher "$launcher"
expect_exit 4 "$ranksight" replay run.trace --tune order --torus "$torus" \
  --map missing.map --launcher "$launcher"
