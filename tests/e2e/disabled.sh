#!/usr/bin/env bash
# disabled.sh RANKS PROGRAM ARGS...
# RANKSIGHT_DISABLE=1 leaves the pass-through only: the program prints and ends
# as ever, and there is no trace and no word of ours, however it ends.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
plain "$ranks" "$@" >plain.out 2>plain.err
status=$?
export RANKSIGHT_DISABLE=1 RANKSIGHT_EPOCH=0.01
record run.trace "$ranks" "$@" >traced.out 2>traced.err
[ $? -eq $status ] || fail "exit status differs"
diff plain.out traced.out >&2 || fail "output differs"
record crash.trace 2 "$apps/crash" segv 600 500 >crash.out 2>crash.err
record crash.trace 2 "$apps/crash" exit 600 500 >crash.out 2>crash.err
ls ./*.trace* >left.txt 2>/dev/null && { cat left.txt; fail "left a trace"; }
exit 0
