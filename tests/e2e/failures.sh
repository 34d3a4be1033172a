#!/usr/bin/env bash
# failures.sh RANKS FAILURES: calls that did nothing because they failed are no
# events, and the trace says how many there were.
. "$(dirname "$0")/lib.sh"
must_record run.trace "$@"
failed=$(sed -n 's/ calls failed.*//p' record.out)
[ "${failed:-0}" -gt 0 ] || fail "the program says that nothing failed"
"$ranksight" show run.trace >show.txt || fail "show"
grep -q '^state *complete' show.txt || { cat show.txt; fail "not complete"; }
grep -q '^losses *none$' show.txt || { cat show.txt; fail "losses"; }
grep -q "^failed calls *$failed\$" show.txt || {
  grep '^failed' show.txt >&2
  fail "$failed calls failed"
}
"$ranksight" stats run.trace >stats.txt || fail "stats"
grep -q '^Losses' stats.txt && { cat stats.txt; fail "losses in stats"; }
grep -q "^Failed calls, left out: $failed\$" stats.txt ||
  { cat stats.txt; fail "stats says nothing of $failed failed calls"; }
"$ranksight" stats run.trace --json >stats.json || fail "stats --json"
"$ranksight" show run.trace --json >show.json || fail "show --json"
python3 - "$failed" <<'END' || fail "JSON"
import json
import sys
for name in "stats.json", "show.json":
    said = json.load(open(name))
    assert said["losses"] == {}, (name, said["losses"])
    assert said["failed_calls"] == int(sys.argv[1]), name
END
# Errors that end nothing leave no part of what has not ended.
parts=$(find . -name '*.partial')
[ -z "$parts" ] || fail "left: $parts"
