#!/usr/bin/env bash
# Ranks with two neighbours run code that the compiler put behind the end of the
# function; what follows the loop stays behind it on these ranks, too.
. "$(dirname "$0")/lib.sh"
must_record edges.trace 5 "$apps/warm_up" edges
must_be_complete edges.trace
"$ranksight" show edges.trace --tree >tree.txt || fail "show --tree"
[ "$(grep -c 'loop x' tree.txt)" -eq 1 ] || fail "not one loop: $(cat tree.txt)"
grep -q '^MPI_Reduce  ' tree.txt || fail "in the loop: $(cat tree.txt)"
