#!/usr/bin/env bash
# two_groups.sh RANKS PROGRAM ARGS...
# What is made of intercommunicators is known to everything that asks who is in
# it: every format but for what it says it lacks, the map, the matrix, both
# replays.
here=$(cd "$(dirname "$0")" && pwd)
"$here/convert_messages.sh" "$@" || exit 1
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
for format in dimemas dumpi otf2; do
  "$ranksight" convert --list | grep -q "^$format " || continue
  expect_exit 0 "$ranksight" convert run.trace --to "$format" -o "$format"
done
expect_exit 0 "$ranksight" map run.trace --torus 2x2 --ranks-per-node 2
expect_exit 0 "$ranksight" matrix run.trace
replay_recorded run.trace again.trace
identical run.trace again.trace
LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay run.trace \
  --no-compute --stall 600 --launcher "$launcher" --exchange all=p2p
