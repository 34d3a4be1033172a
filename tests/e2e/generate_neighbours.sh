#!/usr/bin/env bash
# generate_neighbours.sh RANKS PROGRAM...: a generated program to which MPI gives
# the sources of a graph in another order than to the recorded run receives along
# each edge what the program does in that order.
. "$(dirname "$0")/neighbour_orders.sh"
expect_exit 0 "$ranksight" generate up.trace --to c -o made
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -g -fsanitize=address -o made/checked "made/$(basename "$1").c"
for order in up down; do
  SOURCES=$order ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 \
    must_record again.trace "$ranks" made/checked --no-compute
  received again.trace | diff "$order.txt" - >&2 ||
    fail "$order: < the program, > what was generated from it"
done
