#!/usr/bin/env bash
# A replay needs no memory for what receives were posted for and nobody sent: no
# process of it has a quarter of that, as the kernel counts it.
. "$(dirname "$0")/lib.sh"
readonly room=2000000000
must_record run.trace 2 "$apps/roomy" "$room"
events run.trace 0 | grep -q "MPI_Irecv .* bytes=$room\$" || fail "not posted"
LD_PRELOAD=$yield_preload python3 - "$ranksight" replay run.trace --no-compute \
  --launcher "$launcher" --record again.trace >most.txt 2>replay.err <<'PYTHON' ||
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=sys.stderr, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
PYTHON
  fail "$(cat replay.err)"
identical run.trace again.trace
[ "$(cat most.txt)" -gt 1000000 ] || fail "not counted: $(cat most.txt)"
[ "$(cat most.txt)" -lt $((room / 4)) ] ||
  fail "$(cat most.txt) bytes for a receive of $room"
