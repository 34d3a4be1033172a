#!/usr/bin/env bash
# generate_refused.sh CALL RANKS PROGRAM ARGS...
# What a generated program cannot do is refused with the call and where it was
# made, and nothing is left.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
call=$1 ranks=$2
shift 2
must_record run.trace "$ranks" "$@"
expect_exit 1 "$ranksight" generate run.trace --to c -o made
[ "$(wc -l <err.txt)" = 1 ] || fail "not one line: $(cat err.txt)"
grep -q "$call .*, at .*$(basename "$1")" err.txt || fail "$(cat err.txt)"
[ ! -e made ] || fail "a folder was left"
