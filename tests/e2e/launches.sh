#!/usr/bin/env bash
# launches.sh PROGRAM: launches of one `record` leave a trace each, and it is said;
# the next `record` takes the same names again.
. "$(dirname "$0")/lib.sh"
ranks_of() {
  "$ranksight" show "$1" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["ranks"])'
}
recorded() {
  LD_PRELOAD=$yield_preload "$ranksight" record "$@" >out.txt 2>err.txt ||
    fail "$(cat err.txt)"
}
for again in 1 2; do
  recorded -o a.trace -- sh -c "$launcher -n 2 $1; $launcher -n 3 $1; $launcher -n 1 $1"
  [ "$(ls)" = "$(printf 'a.2.trace\na.3.trace\na.trace\nerr.txt\nout.txt')" ] ||
    fail "time $again: $(ls)"
  [ "$(ranks_of a.trace) $(ranks_of a.2.trace) $(ranks_of a.3.trace)" = "2 3 1" ] ||
    fail "not each its own"
  grep -q '3 launches wrote a trace each: a.2.trace, a.3.trace, a.trace' err.txt ||
    fail "it is not said: $(cat err.txt)"
done
rm ./*.trace
name=$(basename "$1")
recorded -- sh -c "$launcher -n 2 $1; $launcher -n 2 $1"
[ "$(ls ./*.trace)" = "$(printf './%s.2.2.trace\n./%s.2.trace' "$name" "$name")" ] ||
  fail "without a name: $(ls)"
# With a name that is there already, one launch writes that.
recorded -o "$name.2.trace" -- "$launcher" -n 1 "$1"
[ "$(ranks_of "$name.2.trace")" = 1 ] || fail "the old trace stayed"
[ ! -s err.txt ] || fail "$(cat err.txt)"
exit 0
