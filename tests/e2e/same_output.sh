#!/usr/bin/env bash
# same_output.sh RANKS PROGRAM ARGS...
# The runtime changes no byte of what the program prints, nor its exit
# status.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
plain "$ranks" "$@" >plain.out 2>plain.err
plain_status=$?
record run.trace "$ranks" "$@" >traced.out 2>traced.err
traced_status=$?
[ -s plain.out ] || fail "the program printed nothing"
diff plain.out traced.out >&2 || fail "output differs"
[ "$plain_status" = "$traced_status" ] || fail "exit status differs"
