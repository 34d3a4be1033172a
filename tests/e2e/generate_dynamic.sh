#!/usr/bin/env bash
# generate_dynamic.sh RANKS PROGRAM ARGS...: what is moved in a dynamic window, whose
# places are addresses of the recorded run, goes to nobody in a generated program,
# which says so; all else is as it was.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" generate run.trace --to c -o made
grep -q 'MPI_Win_create_dynamic: nothing is moved in what it makes' err.txt ||
  fail "not said: $(cat err.txt)"
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again "made/$(basename "$1").c"
must_record again.trace "$ranks" made/again --no-compute
for ((rank = 0; rank < ranks; ++rank)); do
  events run.trace "$rank" | awk '
    / *MPI_Win_create_dynamic/ { dynamic = 1 }
    dynamic && / peer=/ && /^MPI_(Put|Get|Accumulate) / {
      sub(/ peer=[0-9]+/, " peer=null")
    }
    { print }' >expected || fail "no events of rank $rank"
  grep -q 'peer=null' expected || fail "rank $rank moves nothing"
  events again.trace "$rank" | diff expected - >&2 ||
    fail "rank $rank makes other calls"
done
