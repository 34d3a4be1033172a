#!/usr/bin/env bash
# A trace that names a communicator that none of its calls makes is refused
# before any call is made; where the call that makes it is there it is replayed.
. "$(dirname "$0")/lib.sh"
# write LINE...: a log of two ranks, between its first and last call.
write() {
  mkdir -p logs
  for rank in 0 1; do
    { echo MPI_Init; printf '%s\n' "$@"; echo MPI_Finalize; } >logs/$rank.txt
  done
  "$ranksight" convert --from text logs -o made.trace || fail "convert"
}
write 'MPI_Barrier comm=0' 'MPI_Barrier comm=2'
expect_exit 3 "$ranksight" replay made.trace --launcher "$launcher"
grep -q 'communicator 2 was made by no call of the trace' err.txt ||
  { cat err.txt; fail "no reason"; }
grep -qi 'abort\|event' err.txt && { cat err.txt; fail "it had started"; }
write 'MPI_Comm_dup comm=0 n=2' 'MPI_Barrier comm=2'
expect_exit 0 "$ranksight" replay made.trace --launcher "$launcher"
