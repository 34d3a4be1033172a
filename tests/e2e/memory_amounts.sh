#!/usr/bin/env bash
# memory_amounts.sh RANKS: where amounts alone outgrow the budget, they become
# distributions: nothing stops, the trace says so, and the totals are those of
# a recording that had room.
. "$(dirname "$0")/lib.sh"
ranks=$1
program=("$apps/irregular" 8000 amounts)
RANKSIGHT_MEMORY=64M must_record whole.trace "$ranks" "${program[@]}"
RANKSIGHT_MEMORY=300K must_record bounded.trace "$ranks" "${program[@]}"
for trace in whole bounded; do
  "$ranksight" show $trace.trace >$trace.txt || fail "$trace does not read"
  grep -q '^state *complete' $trace.txt || { cat $trace.txt; fail "stopped"; }
  # Calls, messages and bytes of each kind of call; times differ.
  "$ranksight" stats $trace.trace --json |
    python3 -c '
import json, sys
for call in json.load(sys.stdin)["calls"]:
    print(call["call"], call["count"], call["sent_bytes"],
          call["posted_bytes"])' >$trace.totals ||
    fail "no totals of $trace"
done
grep -q "values_kept_as_distributions.*$((8000 * ranks))" bounded.txt ||
  { cat bounded.txt; fail "the loss is not marked"; }
grep -q values_kept_as_distributions whole.txt && fail "marked without a loss"
grep -q 'MPI_Sendrecv 24000' whole.totals || { cat whole.totals; fail "calls"; }
diff whole.totals bounded.totals >&2 || fail "totals: < whole, > bounded"
whole=$(stat -c %s whole.trace) bounded=$(stat -c %s bounded.trace)
[ $((4 * bounded)) -lt "$whole" ] || fail "$bounded bytes instead of $whole"
