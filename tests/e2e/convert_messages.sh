#!/usr/bin/env bash
# convert_messages.sh RANKS PROGRAM...
# Every send of a converted trace meets its receive: in GOAL by matching in
# order, in SimGrid's by its own replay, which reaches the end.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" convert run.trace --to goal -o run.goal
python3 - run.goal <<'END' || fail "sends without receives"
import collections, re, sys
sizes = collections.defaultdict(lambda: ([], []))
for line in open(sys.argv[1]):
    if line.startswith("rank"):
        rank = line.split()[1]
    found = re.search(r"(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", line)
    if not found:
        continue
    what, size, peer, tag = found.groups()
    sends = what == "send"
    way = (rank, peer) if sends else (peer, rank)
    sizes[(*way, tag)][sends].append(int(size))
sys.exit(not sizes or any(there != here for there, here in sizes.values()))
END
expect_exit 0 "$ranksight" convert run.trace --to simgrid -o simgrid
simgrid_replays simgrid "$ranks"
