#!/usr/bin/env bash
# Ranks of a replay that spin have a core each, as the kernel says; those that
# were bound before, that are too many, or that sleep, have not.
. "$(dirname "$0")/lib.sh"
must_record one.trace 1 "$examples/stencil2d" --size 4x4 --steps 20 \
  --work-ns 50000000 --periodic
# replayed FILE OPTIONS...: what the JSON says of pinning.
under=()
replayed() {
  "${under[@]}" "$ranksight" replay "$@" --launcher "$launcher" --json >replay.json ||
    fail "replay $*"
  python3 -c 'import json; print(json.load(open("replay.json"))["pinned"])'
}
allowed_of() {  # PID: how many processors it may use
  python3 -c 'import os, sys; print(len(os.sched_getaffinity(int(sys.argv[1]))))' \
    "$1"
}
spinning() { pgrep -f "ranksight-replay $PWD/one.trace" >pids.txt; }

# Goes on until it was looked at.
"$ranksight" replay one.trace --launcher "$launcher" --compute-scale 1000 \
  >first.txt 2>&1 &
first=$!
background+=("$first")
bound_to_one() {
  local pid
  spinning && for pid in $(<pids.txt); do
    [ "$(readlink "/proc/$pid/exe")" = "$build/bin/ranksight-replay" ] &&
      [ "$(allowed_of "$pid")" = 1 ] && return 0
  done
  return 1
}
wait_for bound_to_one || fail "no rank is bound to one processor"
kill -TERM "$first"
wait "$first"
[ "$(replayed one.trace --compute-scale 0.01)" = True ] || fail "not pinned"
[ "$(replayed one.trace --compute-scale 0.01 --no-pin)" = False ] ||
  fail "pinned in spite of --no-pin"
[ "$(replayed one.trace --compute-scale 0.01 --sleep)" = False ] ||
  fail "pinned though it sleeps"
under=(taskset -c 0)
[ "$(nproc)" -eq 1 ] ||
  [ "$(replayed one.trace --compute-scale 0.01)" = False ] ||
  fail "a rank that was bound is bound again"
under=()
many=$(($(nproc) + 1))
must_record many.trace "$many" "$examples/stencil2d" --size 4x4 --steps 2
[ "$(replayed many.trace)" = False ] || fail "more ranks than cores are pinned"
