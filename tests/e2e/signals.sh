#!/usr/bin/env bash
# signals.sh: a rank that ends by a signal leaves its part, a beginning of the
# independent log, and ends as it does without us, also where there is no fork or
# children are not to be waited for; so does one whose own handler ends it. Where
# that goes on instead, nothing is different.
. "$(dirname "$0")/lib.sh"
logged logs 4 "$apps/crash" none 600 0 >/dev/null
ends_by() {  # HOW
  local how=$1
  rm -f "$how".trace*
  plain 4 "$apps/crash" "$how" 600 500 >plain.txt 2>&1
  expected=$?
  record $how.trace 4 "$apps/crash" "$how" 600 500 >out.txt 2>err.txt
  [ $? -eq "$expected" ] || fail "$how: not exit $expected"
  part=$how.trace.rank1.partial
  [ -s $part ] || fail "$how: nothing is left"
  grep -q "no trace was written to $how.trace, only .* it ($how.trace.rank" \
    err.txt || fail "$how: $(cat err.txt)"
  "$ranksight" show $part >show.txt || fail "$how: does not read"
  grep -q '^state *partial, complete until ' show.txt ||
    { cat show.txt; fail "$how: not marked partial"; }
  events $part 1 >shown.txt
  [ "$(wc -l <shown.txt)" -ge 500 ] || fail "$how: events are missing"
  grep -v MPI_Abort shown.txt >begun.txt
  cmp -n "$(stat -c %s begun.txt)" begun.txt logs/1.txt ||
    fail "$how: no beginning of the log"
}
ends_by segv
ends_by abort
ends_by childless
yields=$yield_preload
yield_preload=$yield_preload:$build/lib/libno_fork.so
ends_by segv
grep -q "no fork here" err.txt || fail "it did not ask for a copy"
yield_preload=$yields
# A handler of the program's own that ends it, from before MPI_Init on: it says
# what it says and ends as it does without us, and a part is left.
# MPICH's launcher now and then says 1 where a rank ended in another way.
ended() {  # OUTPUT COMMAND...
  local status=1 output=$1
  shift
  for _ in 1 2 3 4 5; do
    "$@" >"$output"
    status=$?
    [ $status -eq 1 ] || break
  done
  return $status
}
for how in exit default nested; do
  ended plain.txt plain 1 "$apps/handlers" $how 2>/dev/null
  expected=$?
  ended out.txt record $how.trace 1 "$apps/handlers" $how 2>err.txt
  [ $? -eq "$expected" ] || fail "handler, $how: not exit $expected"
  grep -q '^ends$' plain.txt || fail "handler, $how: it did not run"
  # What the launcher says names a process.
  diff <(sed 's/PID [0-9]*//' plain.txt) <(sed 's/PID [0-9]*//' out.txt) >&2 ||
    fail "handler, $how: other output"
  events $how.trace.rank0.partial 0 >shown.txt || fail "handler, $how: no part"
  [ "$(grep -c '^MPI_Barrier' shown.txt)" -eq 100 ] ||
    fail "handler, $how: events are missing"
done
ended out.txt record late.trace 1 "$apps/handlers" exit after 2>err.txt
[ $? -eq 7 ] || fail "the handler set after MPI_Init did not run"
# Handlers after which the run goes on: what they are told is what they are told
# without us, and the trace is whole. So it is where there is no fork.
goes_on() {  # HOW WHEN
  plain 1 "$apps/handlers" "$1" "$2" >plain.txt || fail "$1, $2: the plain run"
  [ -s plain.txt ] || [ "$1" = jump ] || fail "$1, $2: it says nothing"
  must_record "$1.trace" 1 "$apps/handlers" "$1" "$2"
  cmp plain.txt record.out || fail "$1, $2: other output"
  must_be_complete "$1.trace"
  for part in "$1".trace.*; do
    [ ! -e "$part" ] || fail "$1, $2: $part is left"
  done
}
for how in jump info reset stop restart child; do
  for when in before after; do goes_on $how $when; done
done
yield_preload=$yield_preload:$build/lib/libno_fork.so
goes_on stop before
grep -q "no fork here" record.err || fail "it did not ask for a copy"
yield_preload=$yields
exit 0
