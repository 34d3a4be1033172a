#!/usr/bin/env bash
# failures.sh RANKS FAILURES: calls that did nothing because they failed are no
# events, and the trace says how many there were.
. "$(dirname "$0")/lib.sh"
must_record run.trace "$@"
failed=$(sed -n 's/ calls failed.*//p' record.out)
[ "${failed:-0}" -gt 0 ] || fail "the program says that nothing failed"
"$ranksight" show run.trace >show.txt || fail "show"
grep -q '^state *complete' show.txt || { cat show.txt; fail "not complete"; }
grep -q "^losses *failed_calls $failed\$" show.txt || {
  grep '^losses' show.txt >&2
  fail "$failed calls failed"
}
# Errors that end nothing leave no part of what has not ended.
parts=$(find . -name '*.partial')
[ -z "$parts" ] || fail "left: $parts"
