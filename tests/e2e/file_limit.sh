#!/usr/bin/env bash
# file_limit.sh: where the trace is larger than files may be, the program ends as
# ever; it is said, and what was there stays. With epochs that is the last that
# had room. A file of the program's own ends it as it does without us.
# A rank that sleeps comes to its first epoch when that has no room.
export IDLE_US=0
. "$(dirname "$0")/lib.sh"
program=("$apps/limited" 3500)
plain 2 "${program[@]}" >plain.out || fail "the plain run"
limited() {
  echo old >run.trace
  record run.trace 2 "${program[@]}" >out.txt 2>err.txt ||
    fail "exit $?: $(cat out.txt err.txt)"
  cmp out.txt plain.out || fail "other output"
  "$ranksight" show run.trace.rank0.partial >show.txt || fail "show"
  grep -q '^losses .*not_written: File too large' show.txt ||
    fail "$(cat show.txt)"
}
limited
grep -q 'no trace was written to run.trace: File too large$' err.txt ||
  fail "$(cat err.txt)"
[ "$(cat run.trace)" = old ] || fail "what was there"
RANKSIGHT_EPOCH_EVENTS=500 limited
"$ranksight" show run.trace | grep -q '^state *partial' || fail "no epoch"
status=0
plain 1 "${program[@]}" itself >/dev/null 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "it did not end"
expect_exit "$status" record own.trace 1 "${program[@]}" itself
exit 0
