#!/usr/bin/env bash
# replay_neighbours.sh RANKS PROGRAM...: a replay to which MPI gives the
# neighbours of a graph in another order than to the recorded run receives along
# each edge what the program does in that order.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
yield_preload=$build/lib/liborder_preload.so:$yield_preload
# received TRACE: counts by neighbour, of all ranks and calls.
received() { "$ranksight" show "$1" --tree | grep -o ' recv_counts=[^a-z]*'; }
for order in up down; do
  SOURCES=$order must_record "$order.trace" "$ranks" "$@"
  received "$order.trace" >"$order.txt"
done
[ "$(wc -l <up.txt)" -ge 6 ] || fail "no counts"
! cmp -s up.txt down.txt || fail "the order makes no difference"
for order in up down; do
  SOURCES=$order replay_recorded up.trace again.trace
  identical up.trace again.trace
  received again.trace | diff "$order.txt" - >&2 ||
    fail "$order: < the program, > its replay"
done
