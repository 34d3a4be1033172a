#!/usr/bin/env bash
# memory_gone.sh RANKS EVENTS PROGRAM...: the recorder gets ever more memory,
# too little at first, on one rank and on all. The program does what it does
# without, and a trace in which something is missing says so. EVENTS: the run
# is cut every so many calls; 0: it is not.
. "$(dirname "$0")/lib.sh"
ranks=$1
[ "$2" -eq 0 ] || export RANKSIGHT_EPOCH_EVENTS=$2
shift 2
plain "$ranks" "$@" >plain.txt || fail "the plain run"
must_record whole.trace "$ranks" "$@"
yield_preload=$build/lib/libmemory_preload.so:$yield_preload
export MEMORY_HIT=$folder/hit
kept=0 lost=0
# starve MOST PROGRAM...
starve() {
  local most=$1
  shift
  rm -f hit run.trace*
  MEMORY_MOST=$most record run.trace "$ranks" "$@" >out.txt 2>err.txt ||
    { cat err.txt >&2; fail "with $most bytes: exit $?"; }
  cmp -s plain.txt out.txt || fail "with $most bytes: other output"
  if [ ! -e run.trace ]; then
    grep -q 'no trace was written' err.txt ||
      { cat err.txt >&2; fail "with $most bytes: nothing is said"; }
    lost=$((lost + 1))
    return
  fi
  expect_exit 0 "$ranksight" show run.trace
  if grep -q '^state *complete' out.txt; then
    identical run.trace whole.trace
    kept=$((kept + 1))
  else
    grep -q '^losses *[a-z_]* [0-9]' out.txt ||
      { cat out.txt; fail "with $most bytes: no loss is named"; }
    lost=$((lost + 1))
  fi
}
reserve=$((2 << 20)) # what is held back for the end, see lifetime.cc
for MEMORY_RANK in "" 1 0; do
  export MEMORY_RANK
  [ -n "$MEMORY_RANK" ] || unset MEMORY_RANK
  starve 100000 "$@"
  [ -e hit ] || fail "there was enough memory"
  for ((more = 0; ; more += 20000)); do
    starve $((reserve + more)) "$@"
    [ -e hit ] || break
  done
done
[ "$kept" -ge 3 ] && [ "$lost" -ge 9 ] || fail "$kept whole, $lost not"
