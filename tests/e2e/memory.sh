#!/usr/bin/env bash
# memory.sh RANKS: a budget that the program outgrows though amounts are kept
# as distributions stops the recording, not the program. What is left says so,
# and is a beginning of the independent log but for these amounts.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
program=("$apps/irregular" 3000)
logged logs "$ranks" "${program[@]}" >logged.txt || fail "the logged run"
RANKSIGHT_MEMORY=200K must_record run.trace "$ranks" "${program[@]}"
stopped run.trace memory_budget
for ((r = 0; r < ranks; r++)); do
  events run.trace "$r" >shown.txt
  sed 's/ bytes=[0-9?]*/ bytes=?/' "logs/$r.txt" >log.txt
  sed -i 's/ bytes=[0-9?]*/ bytes=?/' shown.txt
  cmp -n "$(stat -c %s shown.txt)" shown.txt log.txt ||
    fail "rank $r is no beginning of its log"
  [ "$(wc -l <shown.txt)" -ge 100 ] || fail "rank $r stopped at once"
  [ "$(wc -l <shown.txt)" -lt "$(wc -l <"logs/$r.txt")" ] ||
    fail "rank $r never stopped"
done
RANKSIGHT_MEMORY=64M must_record whole.trace "$ranks" "${program[@]}"
"$ranksight" show whole.trace >show.txt
grep -q '^state *complete' show.txt || { cat show.txt; fail "stopped"; }
