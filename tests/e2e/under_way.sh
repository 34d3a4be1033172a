#!/usr/bin/env bash
# A run that sends its epochs is seen by the monitor, with what the whole of it
# is expected to take, before it ends; then the stored run takes its place. The
# trace, the output and the exit status are those of a run without.
. "$(dirname "$0")/lib.sh"
endpoint=ipc://$folder/socket
start_page --listen "$endpoint" --store store --http 127.0.0.1:0
program=("$apps/held" 600 go)
run() {  # ranks options...
  local ranks=$1
  shift
  LD_PRELOAD=$yield_preload "$ranksight" record -o "$ranks.trace" \
    --to "$endpoint" "$@" -- "$launcher" -n "$ranks" "${program[@]}" \
    >traced.out 2>traced.err || fail "the run: $(cat traced.err)"
}
monitor() { "$ranksight" monitor --store store --once --ranks 8 --jsonl; }
touch go
for ranks in 1 2; do run "$ranks"; done
rm go
run 4 --epoch 0.05 &
last=$!
background+=("$last")
seen() { monitor >line.json && grep -q '"share_seen":0' line.json; }
# It does not end before.
wait_for seen || fail "nothing was seen of the run: $(monitor)"
grep -q '"epochs":[1-9]' line.json || fail "no epoch: $(cat line.json)"
touch go
wait "$last" || fail "the last run"
stored() { monitor | grep -q '"runs_stored":3'; }
wait_for stored || fail "not stored: $(monitor)"
monitor | grep -q '"under_way":\[\]' || fail "it goes on: $(monitor)"
identical 4.trace "$(ls store/runs/*.trace | tail -1)"
plain 4 "${program[@]}" >plain.out || fail "the plain run"
diff plain.out traced.out >&2 || fail "output differs"
# Every part shows the same forecast: the monitor's is what `forecast` prints.
numbers() { grep -oE '"(seconds|low|high|reason|basis)": ?[^,}]*' | tr -d ' '; }
points() { sed 's/.*"points":\[\([^]]*\)\].*/\1/'; }
walked() { monitor >line.json && ! grep -q 'walk is being made' line.json; }
wait_for walked || fail "the walk has no end: $(monitor)"
points <line.json | numbers | sort >shown.txt
"$ranksight" forecast --store store --program held --ranks 8 --json |
  tr -d '\n' | sed 's/": */":/g' | points | numbers | sort >printed.txt
[ -s shown.txt ] && diff shown.txt printed.txt >&2 || fail "two forecasts"
