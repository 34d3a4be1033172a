#!/usr/bin/env bash
# kill.sh TIMES [RANKS] [EPOCH_SECONDS]: kills a run (in turn one rank, or all
# of it) with SIGKILL at a random moment, TIMES times. What is left must read,
# each rank's events must begin as the independent log does, and the table
# says how much of the time before the kill was lost.
. "$(dirname "$0")/../../e2e/lib.sh"
times=$1
ranks=${2:-4}
epoch=${3:-0.1}
steps=200000
program=("$examples/stencil2d" --size 4x4 --periodic --steps)
logged logs "$ranks" "${program[@]}" 3000 >/dev/null || fail "the logged run"

ms() { echo $(($(date +%s%N) / 1000000)); }

one() {
  rm -f run.trace pid.*
  LD_PRELOAD=$yield_preload "$ranksight" record --epoch "$epoch" \
    -o run.trace -- "$launcher" -n "$ranks" \
    bash -c 'echo $$ >pid.$PMI_RANK; exec "$@"' run "${program[@]}" $steps \
    >/dev/null 2>&1 &
  local job=$! begun r
  wait_for test -s run.trace || fail "no epoch"
  begun=$("$ranksight" show run.trace --json |
    sed -n 's/.*"start_unix_ns": *\([0-9]*\).*/\1/p' | head -1)
  read -r -t "0.$((RANDOM % 900 + 100))" <> <(:) || true
  local victims=(pid.$((RANDOM % ranks)))
  [ $(($1 % 2)) = 0 ] && victims=(pid.*)
  local killed
  killed=$(ms)
  # shellcheck disable=SC2046
  kill -9 $(cat "${victims[@]}") 2>/dev/null
  wait "$job" 2>/dev/null
  "$ranksight" show run.trace --json >show.json || fail "does not read"
  grep -q '"complete": *false' show.json || return 0
  local until
  until=$(sed -n 's/.*"complete_until_ns": *\([0-9]*\).*/\1/p' show.json | head -1)
  for ((r = 0; r < ranks; r++)); do
    # The log ends with MPI_Finalize, which a part has not reached.
    events run.trace "$r" | head -20000 >shown.txt
    head -n -1 "logs/$r.txt" >log.txt
    cmp -s <(head -n "$(wc -l <log.txt)" shown.txt) \
      <(head -n "$(wc -l <shown.txt)" log.txt) ||
      fail "rank $r is no beginning of its log"
  done
  echo $((killed - begun / 1000000 - until / 1000000)) >>lost.txt
}

for ((i = 0; i < times; i++)); do one "$i"; done
sort -n lost.txt | awk -v e="$epoch" '{ v[NR] = $1 } END {
  printf "%d kills, epoch %s s: lost ms before the kill: median %d, 95 %% %d, most %d\n",
    NR, e, v[int((NR + 1) / 2)], v[int(NR * 0.95)], v[NR] }'
