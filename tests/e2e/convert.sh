#!/usr/bin/env bash
# convert.sh RANKS PROGRAM ARGS...
# Text there and back keeps the events; SimGrid itself replays its traces to
# the end; OTF2's own tools open its archives and its Python module reads the
# same events back; Dimemas, DUMPI and Chakra traces, read by readers of our
# own, are the raw log; compiled GOAL is its text; the timeline is JSON with a
# slice for each call.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" convert run.trace --to text -o text
for ((rank = 0; rank < ranks; ++rank)); do
  events run.trace "$rank" | cmp - "text/$rank.txt" || fail "text of $rank"
done
expect_exit 0 "$ranksight" convert --from text text -o back.trace
identical run.trace back.trace

expect_exit 0 "$ranksight" convert run.trace --to timeline -o run.json --json
python3 - <<'END' || fail "the timeline"
import json
slices = [e for e in json.load(open("run.json"))["traceEvents"]
          if e["ph"] == "X"]
assert len(slices) == json.load(open("out.txt"))["events"] > 0
assert all(e["dur"] >= 0 and e["args"]["call"].startswith(e["name"])
           for e in slices)
END

"$ranksight" convert run.trace --to timeline --compress -o run.json.gz ||
  fail "compressing"
gzip -dc run.json.gz | cmp - run.json || fail "the compressed timeline"
expect_exit 2 "$ranksight" convert run.trace --to goal --compress -o no.goal

logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
expect_exit 0 "$ranksight" convert run.trace --to dimemas -o run.dim
expect_exit 0 "$here/read_dimemas.py" run.dim logs
grep -q '^[1-9][0-9]* records' out.txt || fail "nothing was compared"

expect_exit 0 "$ranksight" convert run.trace --to dumpi -o dumpi
expect_exit 0 "$here/read_dumpi.py" dumpi logs
grep -q '^[1-9][0-9]* records' out.txt || fail "nothing was compared"

expect_exit 0 "$ranksight" convert run.trace --to chakra -o chakra
expect_exit 0 "$ranksight" convert run.trace --to goal -o run.goal
expect_exit 0 "$here/read_chakra.py" chakra logs run.goal
grep -q '^[1-9][0-9]* nodes' out.txt || fail "nothing was compared"
expect_exit 0 "$ranksight" convert run.trace --to chakra --compress -o packed
for ((rank = 0; rank < ranks; ++rank)); do
  gzip -dc <"packed/trace.$rank.et" | cmp - "chakra/trace.$rank.et" ||
    fail "compressed Chakra of $rank"
done
expect_exit 0 "$ranksight" convert run.trace --to goal-bin -o run.bin
expect_exit 0 "$here/read_goal.py" run.bin run.goal
grep -q '^[1-9][0-9]* operations' out.txt || fail "nothing was compared"

if "$ranksight" convert --list | grep -q '^otf2 '; then
  expect_exit 0 "$ranksight" convert run.trace --to otf2 -o otf2
  expect_exit 0 otf2-print otf2/traces.otf2
  [ ! -s err.txt ] || fail "otf2-print: $(head -3 err.txt)"
  for ((rank = 0; rank < ranks; ++rank)); do
    "$here/read_otf2.py" otf2/traces.otf2 "$rank" |
      cmp - "text/$rank.txt" || fail "OTF2 of rank $rank"
  done
  expect_exit 0 "$ranksight" convert --from otf2 otf2/traces.otf2 -o back.trace
  identical run.trace back.trace
fi

expect_exit 0 "$ranksight" convert run.trace --to simgrid -o simgrid
simgrid_replays simgrid "$ranks"
