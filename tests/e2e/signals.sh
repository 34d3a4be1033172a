#!/usr/bin/env bash
# signals.sh: a rank that ends by a signal leaves its part, a beginning of the
# independent log, and ends as it does without us, also where there is no fork or
# children are not to be waited for; a handler of the program's own is all that
# runs.
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
for when in before after; do
  record $when.trace 1 "$apps/handlers" $when >out.txt 2>err.txt
  [ $? -eq 7 ] || fail "the handler set $when MPI_Init did not run"
done
exit 0
