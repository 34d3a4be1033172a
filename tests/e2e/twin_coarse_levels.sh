#!/usr/bin/env bash
# Communicators of communicators, as many as no law says, and messages on them: a
# twin is made whose ranks are in as many as their like ones, and which ends.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/coarse_levels"
grep -q '^estimated: MPI_Comm_split ' report.txt ||
  fail "not marked: $(cat report.txt)"
