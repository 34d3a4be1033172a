#!/usr/bin/env bash
# self_sizing.sh TARGET SIZES PROGRAM ARGS...
# A benchmark made from laws, compiled with the MPI compiler alone and recorded
# at a rank count that was never traced, makes the calls of a real run there.
. "$(dirname "$0")/lib.sh"
target=$1
sizes=$2
shift 2
record_sizes "$sizes" "$@"
must_extrapolate "${inputs[@]}" --ranks "$target" --symbolic -o laws.trace
expect_exit 0 "$ranksight" generate laws.trace --to c -o made
# The traces themselves give the same program.
expect_exit 0 "$ranksight" generate "${inputs[@]}" --to c -o direct
diff -r made direct >&2 || fail "not what the symbolic trace gives"
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again "made/$(basename "$1").c"
[ ! -s err.txt ] || fail "the compiler says $(cat err.txt)"
must_record real.trace "$target" "$@"
must_record again.trace "$target" made/again --no-compute
! grep -q leaked record.err || fail "$(grep -m1 leaked record.err)"
identical real.trace again.trace
# Where the laws do not hold it says so.
plain 2 made/again --dims 9 >no.txt 2>&1 &&
  fail "it runs in a shape of another kind"
grep -q -- '--dims' no.txt || fail "$(head -3 no.txt)"
