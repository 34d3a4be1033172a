#!/usr/bin/env bash
# wall.sh PAIRS SECONDS RANKS PROGRAM...: runs the program recorded without
# epochs and with one every SECONDS, in turn, PAIRS times; the ratios of wall
# time and of the job's CPU time, each of its pair, least, median and greatest.
. "$(dirname "$0")/../../e2e/lib.sh"
pairs=$1 epoch=$2 ranks=$3
shift 3

# run NAME OPTION...: appends "wall cpu" in seconds to NAME.
run() {
  local name=$1
  shift
  local TIMEFORMAT='%R %U %S'
  { time "$ranksight" record "$@" -o run.trace -- "$launcher" -n "$ranks" \
    "${program[@]}" >out.txt 2>&1; } 2>time.txt || fail "$(tail -3 out.txt)"
  awk '{ print $1, $2 + $3 }' time.txt >>"$name"
}

program=("$@")
for ((i = 0; i < pairs; i++)); do
  run without
  run with --epoch "$epoch"
done
"$ranksight" show run.trace | grep -E '^(epochs|elapsed)'
for column in 1 2; do
  paste -d' ' without with | awk -v c=$column '{ print $(c + 2) / $c }' |
    sort -n | awk -v what="$([ $column = 1 ] && echo wall || echo CPU)" '
      { v[NR] = $1 } END { printf "%s, with over without: least %.3f median %.3f greatest %.3f\n",
        what, v[1], v[int((NR + 1) / 2)], v[NR] }'
done
