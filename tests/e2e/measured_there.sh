#!/usr/bin/env bash
# measured_there.sh LAUNCHER: `machine measure` and `replay` take the programs that
# were built for the launcher's MPI.
. "$(dirname "$0")/lib.sh"
must_record run.trace 3 "$apps/loops"
export RANKSIGHT_MPI=openmpi
expect_exit 0 "$ranksight" machine measure --messages-only -o here.json \
  --launcher "$1 -n {ranks}"
grep -q '"messages"' here.json || fail "$(head -c 300 here.json)"
# A trace does not depend on the MPI that it was recorded under.
expect_exit 0 "$ranksight" replay run.trace --no-compute --launcher "$1 -n {ranks}"
grep -q 'on 3 ranks' out.txt || fail "$(cat out.txt)"
(unset RANKSIGHT_MPI
 RANKSIGHT_MPI=mpich expect_exit 2 "$ranksight" replay run.trace --no-compute \
   --launcher "$1 -n {ranks}"
 grep -q 'has 3 ranks, started with 1' err.txt || fail "$(cat err.txt)") || exit 1
