#!/usr/bin/env bash
# A program of which not all that its calls need can be drawn: copies of a run
# are one, marked, that replays; where the ranks are a multiple of a run's, as
# there are windows.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/key_table"
grep -q '^copied: the run on 12 ranks' report.txt || fail "$(cat report.txt)"
must_record real.trace 24 "$apps/key_table"
# All communicate as all do; what each sends is about as much.
must_give_alike MPI_Allreduce 0
must_give_alike MPI_Scatterv 25
must_give_alike MPI_Gatherv 25
must_give_alike MPI_Alltoallv 25
must_give_alike MPI_Sendrecv 25
# Pairs are as many as there are, and two thirds of all have one communicator.
sizes() {
  "$ranksight" show "$1.trace" --events --rank 0 | grep -o 'MPI_Comm_split comm=0 n=[0-9]*'
}
sizes real | grep -q 'n=16$' || fail "$(sizes real)"
cmp <(sizes twin) <(sizes real) || fail "others are together: $(sizes twin)"
expect_exit 1 "$ranksight" extrapolate "${inputs[@]}" --ranks 24 --exact -o none.trace
# The last copy would lack ranks that the others put to.
"$ranksight" extrapolate "${inputs[@]}" --ranks 26 -o none.trace 2>refused.txt
[ $? -eq 1 ] || fail "not refused"
grep -q 'nor copied: MPI_[A-Za-z_]* says who there is' refused.txt || fail "$(cat refused.txt)"
[ ! -e none.trace ] || fail "a trace was left"
