#!/usr/bin/env bash
# trace_size.sh RANKS FEW MANY PROGRAM ARGS...
# The structure in a trace of MANY steps is at most 5 % larger than in one of
# FEW. How many bytes times take, and whether an event's computation is told
# apart by the call before it, depends on what was measured: all of a trace is
# held against a bound that this does not reach.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
few=$2
many=$3
shift 3
for steps in "$few" "$many"; do
  must_record "$steps.trace" "$ranks" "$@" --steps "$steps"
done
read -r small small_all < <("$here/read_chunks.py" "$few.trace")
read -r large large_all < <("$here/read_chunks.py" "$many.trace")
echo "$ranks ranks: $few steps $small bytes of $small_all, $many steps" \
  "$large of $large_all"
[ "$small" -gt 0 ] && [ "$large" -gt 0 ] || fail "no structure"
[ $((large * 100)) -le $((small * 105)) ] ||
  fail "the structure grows with steps"
[ $((large_all * 2)) -le $((small_all * 3)) ] || fail "the trace grows with steps"
