#!/usr/bin/env bash
# generate.sh RANKS PROGRAM ARGS...
# A generated benchmark, compiled with the MPI compiler alone and recorded
# again, makes the calls of the program it was made from.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" generate run.trace --to c -o made
name=$(basename "$1")
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again "made/$name.c"
[ ! -s err.txt ] || fail "the compiler says $(cat err.txt)"
must_record again.trace "$ranks" made/again --no-compute
identical run.trace again.trace
