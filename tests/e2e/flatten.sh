#!/usr/bin/env bash
# flatten.sh RANKS PROGRAM...
# A flattened trace has messages of the world alone, those of GOAL and the
# program's own; each send meets its receive in order. DUMPI and OTF2, read by
# their own readers, are its text, and SimGrid replays it to the end.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" convert run.trace --flatten --to text -o flat
expect_exit 0 "$ranksight" convert run.trace --to goal -o run.goal
for ((rank = 0; rank < ranks; ++rank)); do
  events run.trace "$rank" >"events.$rank" || fail "events of $rank"
done
python3 - "$ranks" <<'END' || fail "the messages"
import collections, re, sys

ALONE = {"MPI_Init", "MPI_Finalize", "MPI_Wait", "MPI_Waitall"}
MESSAGES = {"MPI_Send": 1, "MPI_Isend": 1, "MPI_Recv": 0, "MPI_Irecv": 0}
SENDS = {"MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Sendrecv",
         "MPI_Sendrecv_replace"}
COLLECTIVES = 10000000  # their tags, from here on

def calls(path):
    for line in open(path):
        name, *rest = line.split()
        yield name, dict(part.split("=") for part in rest)

ways = collections.defaultdict(lambda: ([], []))
for rank in range(int(sys.argv[1])):
    ours, open_requests = [], 0
    for name, f in calls(f"flat/{rank}.txt"):
        if name in MESSAGES:
            assert f["comm"] == "0", f
            peer, sends = int(f["peer"]), MESSAGES[name]
            way = (rank, peer) if sends else (peer, rank)
            ways[(*way, f["tag"])][sends].append(int(f["bytes"]))
            if sends and int(f["tag"]) < COLLECTIVES:
                ours.append((f["peer"], f["bytes"]))
            open_requests += name[4] == "I"
        else:
            assert name in ALONE, name
            open_requests -= int(f.get("n", 0))
            assert open_requests >= 0
    assert open_requests == 0
    theirs = [(f["peer"], f["bytes"]) for name, f in calls(f"events.{rank}")
              if name in SENDS and f["peer"] != "null"]
    assert ours == theirs, (rank, len(ours), len(theirs))
for way, (received, sent) in ways.items():
    assert received == sent, way
goal = collections.Counter()
for line in open("run.goal"):
    if line.startswith("rank"):
        rank = int(line.split()[1])
    elif m := re.search(r"send (\d+)b to (\d+) tag (\d+)", line):
        goal[rank, int(m[2]), m[3], int(m[1])] += 1
flat = collections.Counter((*way, size) for way, (_, sent) in ways.items()
                           for size in sent)
assert goal == flat and flat
END
expect_exit 0 "$ranksight" convert run.trace --flatten --to dumpi -o dumpi
expect_exit 0 "$here/read_dumpi.py" dumpi flat
grep -q '^[1-9][0-9]* records' out.txt || fail "nothing was compared"
if "$ranksight" convert --list | grep -q '^otf2 '; then
  expect_exit 0 "$ranksight" convert run.trace --flatten --to otf2 -o otf2
  for ((rank = 0; rank < ranks; ++rank)); do
    "$here/read_otf2.py" otf2/traces.otf2 "$rank" |
      cmp - "flat/$rank.txt" || fail "OTF2 of rank $rank"
  done
fi
expect_exit 0 "$ranksight" convert run.trace --flatten --to simgrid -o simgrid
simgrid_replays simgrid "$ranks"
expect_exit 2 "$ranksight" convert --from text flat --flatten -o back.trace
