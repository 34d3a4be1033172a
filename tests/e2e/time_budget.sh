#!/usr/bin/env bash
# time_budget.sh RANKS: recording that takes more of a program's processor time
# than it may stops, not the program. What is left says so, and is a beginning
# of the independent log. Where half of that is taken, amounts without a rule are
# distributions: the recording goes on, with the same totals. Nothing at all is
# allowed here, or all, so that no clock decides.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
program=("$apps/irregular" 3000)
logged logs "$ranks" "${program[@]}" >logged.txt || fail "the logged run"
RANKSIGHT_TIME=0,0 must_record run.trace "$ranks" "${program[@]}"
stopped run.trace time_budget
for ((r = 0; r < ranks; r++)); do
  events run.trace "$r" >shown.txt
  cmp -n "$(stat -c %s shown.txt)" shown.txt "logs/$r.txt" ||
    fail "rank $r is no beginning of its log"
  [ "$(wc -l <shown.txt)" -lt "$(wc -l <"logs/$r.txt")" ] ||
    fail "rank $r never stopped"
done
RANKSIGHT_TIME=off must_record whole.trace "$ranks" "${program[@]}"
"$ranksight" show whole.trace >show.txt
grep -q '^state *complete' show.txt || { cat show.txt; fail "stopped"; }

program=("$apps/irregular" 30000 amounts)
RANKSIGHT_TIME=1000000,1000,1 must_record fine.trace "$ranks" "${program[@]}"
RANKSIGHT_TIME=1000000,1000,0 must_record coarse.trace "$ranks" "${program[@]}"
"$ranksight" show coarse.trace >show.txt
grep -q '^state *complete' show.txt || { cat show.txt; fail "stopped"; }
grep -q '^losses *values_kept_as_distributions' show.txt ||
  { cat show.txt; fail "no amounts are distributions"; }
[ "$(stat -c %s coarse.trace)" -lt 5000 ] || fail "as large as every amount"
totals() { "$ranksight" stats "$1" | awk '/^MPI_Sendrecv/ {print $1, $2, $3, $4}'; }
totals fine.trace >fine.txt
totals coarse.trace >coarse.txt
[ -s fine.txt ] || fail "no sends"
cmp fine.txt coarse.txt || fail "other totals"
expect_exit 1 "$ranksight" matrix coarse.trace
grep -q 'RANKSIGHT_TIME=off' err.txt || { cat err.txt; fail "no way out"; }
# Some 5 MB of values without a rule are allowed where nothing else is said. A
# replay is recorded to be compared: whatever that takes.
program=("$apps/irregular" 30000)
must_record exact.trace "$ranks" "${program[@]}"
unset RANKSIGHT_TIME
must_record usual.trace "$ranks" "${program[@]}"
"$ranksight" show usual.trace | grep -q '^losses *none' &&
  fail "whatever it takes"
replay_recorded exact.trace again.trace
identical exact.trace again.trace
