#!/usr/bin/env bash
# What-if replays: options that are refused.
. "$(dirname "$0")/lib.sh"
must_record run.trace 4 "$apps/all_calls"
replays() {
  "$ranksight" replay run.trace --launcher "$launcher -n {ranks}" "$@"
}
export LD_PRELOAD=$yield_preload
expect_exit 2 replays --exchange send=p2p
expect_exit 2 replays --exchange bcast=messages
# Also where nothing is run.
expect_exit 0 "$ranksight" replay run.trace --check --exchange bcast=p2p
expect_exit 2 "$ranksight" replay run.trace --check --exchange send=p2p
grep -q -- "--exchange 'send=p2p': no collective" err.txt || fail "$(cat err.txt)"
expect_exit 2 replays --site-scale nowhere=2
expect_exit 2 replays --site-scale all_calls=-1
expect_exit 2 replays --map some.map
expect_exit 2 replays --check --map some.map
expect_exit 2 replays --check --site-scale nowhere=2
expect_exit 0 replays --check --site-scale all_calls=2
replays --site-scale all_calls=0.5 >/dev/null || fail "--site-scale"
# What others can.
cannot() {  # TEXT COMMAND OPTION VALUE
  expect_exit 2 "$ranksight" "$2" run.trace "${@:3}"
  grep -q "$2 cannot: .*$1" err.txt || fail "$2 ${*:3}: $(cat err.txt)"
}
cannot "forecast and simulate" replay --topology fat-tree:4x4:1x2
cannot "forecast and simulate" replay --vary compute-scale=1,2
for option in --topology --torus --map --vary; do
  cannot "" generate --to c -o none $option 4x4
done
# The program starts as it was asked for.
expect_exit 0 "$ranksight" generate run.trace --to c -o none --no-compute
grep -q "COMPUTE_SCALE 0$" none/all_calls.c || fail "computation in the program"
# Names that look like options.
cp run.trace ./-x.trace
expect_exit 0 "$ranksight" replay --no-compute --launcher "$launcher" -- -x.trace
