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

# Two that are under way at one moment, beside an older trace.
rm ./*.trace
mkfifo fifo
meets=$apps/meets
for again in 1 2; do
  recorded -o b.trace -- sh -c \
    "$launcher -n 2 $meets fifo read & $launcher -n 3 $meets fifo write; wait"
  [ "$(ls -A)" = "$(printf 'b.2.trace\nb.trace\nerr.txt\nfifo\nout.txt')" ] ||
    fail "at one moment, time $again: $(ls -A)"
  [ $(($(ranks_of b.trace) + $(ranks_of b.2.trace))) = 5 ] || fail "not both"
  grep -q '2 launches wrote a trace each: b.2.trace, b.trace' err.txt ||
    fail "it is not said: $(cat err.txt)"
done
# One that was killed keeps no name, and leaves nothing of its claim.
rm ./*.trace
recorded -o c.trace -- sh -c \
  "$launcher -n 3 $apps/crash kill 50 40; $launcher -n 1 $1"
[ "$(ls -A ./*.trace .*.claim 2>/dev/null)" = ./c.trace ] || fail "$(ls -A)"
exit 0
