#!/usr/bin/env bash
# The clock of the day steps back and forth under programs, the side-car and
# the commands: traces are those of other days, and the store keeps its order.
. "$(dirname "$0")/lib.sh"
clock=$build/lib/libstepping_clock.so
steps() {
  # shellcheck disable=SC2016
  [ "$(LD_PRELOAD=$clock bash -c 'printf "%(%d)T"')" != \
    "$(LD_PRELOAD=$clock bash -c 'printf "%(%d)T"')" ]
}
wait_for steps || fail "the clock does not step"
endpoint=ipc://$folder/socket
LD_PRELOAD=$clock start_page --listen "$endpoint" --store store \
  --http 127.0.0.1:0
program=("$examples/stencil2d" --size 8x8 --work-ns 100000 --steps 200)
steps_record() {  # RANKS options...
  local ranks=$1
  shift
  LD_PRELOAD=$clock:$yield_preload "$ranksight" record -o "$ranks.trace" \
    --to "$endpoint" "$@" -- "$launcher" -n "$ranks" "${program[@]}" \
    >"$ranks.out" 2>"$ranks.err" || fail "the run: $(cat "$ranks.err")"
}
# Not in the order of their sizes, or of whatever time it was.
sizes=(4 1 3 2)
for ranks in "${sizes[@]}"; do
  steps_record "$ranks" --epoch 0.02
  plain "$ranks" "${program[@]}" >plain.out || fail "the plain run"
  diff plain.out "$ranks.out" >&2 || fail "output differs"
  must_be_complete "$ranks.trace"
  must_record reference.trace "$ranks" "${program[@]}"
  identical "$ranks.trace" reference.trace
  # No time below zero, or of a day: computation and calls make up the run.
  "$ranksight" show "$ranks.trace" --json >show.json || fail "show"
  "$ranksight" stats "$ranks.trace" --json >stats.json || fail "stats"
done
stored() { [ "$(ls store/runs | grep -c 'trace$')" = 4 ]; }
wait_for stored || fail "not all were stored"
LD_PRELOAD=$clock "$ranksight" runs --store store --json >runs.json ||
  fail "runs"
order=$(grep -oE '"ranks": ?[0-9]+' runs.json | grep -oE '[0-9]+' | xargs)
[ "$order" = "${sizes[*]}" ] || fail "the runs are listed as $order"
LD_PRELOAD=$clock "$ranksight" monitor --store store --once --ranks 8 \
  >monitor.txt || fail "monitor: $(cat monitor.txt)"
LD_PRELOAD=$clock "$ranksight" forecast --store store --program stencil2d \
  --ranks 8 --json >forecast.json 2>forecast.err
[ "$?" -le 1 ] || fail "forecast"
grep -q '"measured"' forecast.json || fail "no forecast: $(cat forecast.json)"
LD_PRELOAD=$clock:$yield_preload "$ranksight" replay 4.trace --no-compute \
  --launcher "$launcher" >replay.out || fail "replay"
