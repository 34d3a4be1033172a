#!/usr/bin/env bash
# replay_neighbours.sh RANKS PROGRAM...: a replay to which MPI gives the
# neighbours of a graph in another order than to the recorded run receives along
# each edge what the program does in that order.
. "$(dirname "$0")/neighbour_orders.sh"
[ "$(wc -l <up.txt)" -ge 6 ] || fail "no counts"
for order in up down; do
  SOURCES=$order replay_recorded up.trace again.trace
  identical up.trace again.trace
  received again.trace | diff "$order.txt" - >&2 ||
    fail "$order: < the program, > its replay"
done
