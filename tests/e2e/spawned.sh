#!/usr/bin/env bash
# spawned.sh PROGRAM: processes that a program starts are a world of their own,
# with a trace of its own; the program does not notice.
. "$(dirname "$0")/lib.sh"
plain 2 "$1" >plain.out || fail "the plain run"
must_record run.trace 2 "$1"
diff plain.out record.out >&2 || fail "output differs"
must_be_complete run.trace
events run.trace 0 >parent.txt
[ "$(grep -c '^MPI_Recv .*bytes=4$' parent.txt)" = 2 ] &&
  grep -qx 'MPI_Comm_spawn comm=0 n=2' parent.txt || fail "$(cat parent.txt)"
children=(run.trace.spawned-*)
[ ${#children[@]} = 1 ] || fail "$(ls)"
for rank in 0 1; do
  diff - <(events "${children[0]}" $rank) >&2 <<'END' || fail "child $rank"
MPI_Init
MPI_Send comm=none peer=none tag=0 bytes=4
MPI_Barrier comm=0
MPI_Comm_disconnect comm=none
MPI_Finalize
END
done
# What no call of the trace made it may give up.
for trace in run.trace "${children[0]}"; do
  expect_exit 0 "$ranksight" replay --check "$trace"
done
