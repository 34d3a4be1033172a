#!/usr/bin/env bash
# trace_size.sh RANKS FEW MANY PROGRAM ARGS...
# A trace of MANY steps is at most 5 % larger than one of FEW. Whether an
# event's computation is told apart by the call before it is decided from the
# times of the run, and takes some 40 bytes, so FEW is recorded five times and
# the largest taken.
. "$(dirname "$0")/lib.sh"
ranks=$1
few=$2
many=$3
shift 3
small=0
for _ in 1 2 3 4 5; do
  must_record few.trace "$ranks" "$@" --steps "$few"
  size=$(stat -c %s few.trace)
  [ "$size" -le "$small" ] || small=$size
done
must_record many.trace "$ranks" "$@" --steps "$many"
large=$(stat -c %s many.trace)
echo "$ranks ranks: $few steps $small bytes, $many steps $large bytes"
[ $((large * 100)) -le $((small * 105)) ] || fail "the trace grows with steps"
