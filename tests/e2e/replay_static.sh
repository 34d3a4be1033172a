#!/usr/bin/env bash
# replay_static.sh TOOL TOOL_STATIC PROGRAM ARGS...: the replay tool without
# shared libraries has none, and replays and refuses what the other does.
. "$(dirname "$0")/lib.sh"
tool=$1 static=$2
shift 2
readelf -lW "$tool" | grep -q INTERP || fail "readelf finds no interpreter"
! readelf -lW "$static" | grep -q INTERP || fail "it has an interpreter"
! readelf -dW "$static" | grep -q NEEDED || fail "it needs shared libraries"

must_record run.trace 2 "$@"
replayed() {  # TOOL ARGS...
  expect_exit 0 "$launcher" -n 2 "$@" run.trace --json
  sed 's/"replayed_seconds.*"ratio": [^,]*, //; s/"late_seconds": [^,]*, //' \
    out.txt
}
replayed "$tool" --no-compute --exchange alltoall=p2p >shared.txt
replayed "$static" --no-compute --exchange alltoall=p2p >static.txt
diff shared.txt static.txt >&2 || fail "another replay"
grep -q '"events": [1-9]' static.txt || fail "$(cat static.txt)"

expect_exit 2 "$launcher" -n 3 "$static" run.trace
expect_exit 4 "$launcher" -n 2 "$static" absent.trace
