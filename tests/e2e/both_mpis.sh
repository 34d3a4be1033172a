#!/usr/bin/env bash
# both_mpis.sh RANKS PROGRAM TWIN ARGS...: the events of a program are the same
# under both MPIs, and neither run notices that it is recorded. TWIN: PROGRAM built
# for another MPI or interface, run by RANKSIGHT_OTHER_MPIEXEC.
. "$(dirname "$0")/lib.sh"
ranks=$1 program=$2 twin=$3
shift 3
must_record here.trace "$ranks" "$program" "$@"
cp record.out here.out
launcher=${RANKSIGHT_OTHER_MPIEXEC:?}
plain "$ranks" "$twin" "$@" >plain.out || fail "the plain run"
must_record there.trace "$ranks" "$twin" "$@"
diff plain.out record.out >&2 || fail "output differs"
must_be_complete there.trace
for ((rank = 0; rank < ranks; ++rank)); do
  diff <(events here.trace "$rank") <(events there.trace "$rank") \
    >difference.txt || {
    echo "rank $rank: < first, > second" >&2
    head -40 difference.txt >&2
    fail "canonical text of rank $rank"
  }
done
