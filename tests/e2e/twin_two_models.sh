#!/usr/bin/env bash
# Messages over an intercommunicator whose partners have no law: a twin is made.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/two_models"
grep -q '^estimated: MPI_Isend ' report.txt ||
  fail "not marked: $(cat report.txt)"
# So it is where no law says which ranks the second model has.
must_make_twin 4,6,8,12 24 "$apps/two_models" 5
grep -q '^estimated: MPI_Intercomm_create ' report.txt ||
  fail "not marked: $(cat report.txt)"
