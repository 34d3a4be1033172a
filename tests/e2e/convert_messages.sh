#!/usr/bin/env bash
# convert_messages.sh RANKS PROGRAM...
# Every send of a converted trace has its receive: in GOAL by counting, in
# SimGrid's by its own replay, which reaches the end.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" convert run.trace --to goal -o run.goal
python3 - run.goal <<'END' || fail "sends without receives"
import collections, re, sys
open_messages = collections.Counter()
messages = 0
for line in open(sys.argv[1]):
    if line.startswith("rank"):
        rank = line.split()[1]
    found = re.search(r"(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", line)
    if not found:
        continue
    messages += 1
    what, size, peer, tag = found.groups()
    sends = what == "send"
    way = (rank, peer) if sends else (peer, rank)
    open_messages[(*way, tag, size)] += 1 if sends else -1
sys.exit(messages == 0 or any(open_messages.values()))
END
expect_exit 0 "$ranksight" convert run.trace --to simgrid -o simgrid
simgrid_replays simgrid "$ranks"
