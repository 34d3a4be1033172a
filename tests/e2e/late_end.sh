#!/usr/bin/env bash
# late_end.sh [half]: a handler of exit that is older than ours calls
# MPI_Finalize, on all ranks or (half) on one: the trace is whole, with what the
# handler did, and no part is left.
. "$(dirname "$0")/lib.sh"
logged logs 3 "$apps/late_end" "$@" >logged.txt || fail "the logged run"
must_record run.trace 3 "$apps/late_end" "$@"
must_be_complete run.trace
for rank in 0 1 2; do logged_events logs/$rank.txt run.trace $rank; done
[ -z "$(find . -name '*.partial')" ] || fail "a part was left"
