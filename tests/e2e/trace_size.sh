#!/usr/bin/env bash
# trace_size.sh RANKS FEW MANY PROGRAM ARGS...
# A trace of MANY steps is at most 5 % larger than one of FEW.
. "$(dirname "$0")/lib.sh"
ranks=$1
few=$2
many=$3
shift 3
must_record few.trace "$ranks" "$@" --steps "$few"
must_record many.trace "$ranks" "$@" --steps "$many"
small=$(stat -c %s few.trace)
large=$(stat -c %s many.trace)
echo "$ranks ranks: $few steps $small bytes, $many steps $large bytes"
[ $((large * 100)) -le $((small * 105)) ] || fail "the trace grows with steps"
