#!/usr/bin/env bash
# Communicators that ranks make out of groups of their own, which no law tells: a
# twin is made.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/two_models" 5 group
grep -q '^estimated: MPI_Comm_create_group ' report.txt ||
  fail "not marked: $(cat report.txt)"
