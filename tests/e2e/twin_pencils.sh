#!/usr/bin/env bash
# Blocks that ranks give one another have datatypes without a law, and laws of
# what some give do not go together with what others take: a twin is made in
# which they do, with as many bytes as a real run has.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/pencils"
[ "$(grep -c '^estimated: MPI_Alltoallw ' report.txt)" -eq 4 ] ||
  fail "not marked: $(cat report.txt)"
must_record real.trace 24 "$apps/pencils"
must_give_alike MPI_Alltoallw 5
