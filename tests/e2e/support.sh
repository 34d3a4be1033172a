#!/usr/bin/env bash
# The tools of these tests themselves: the raw log of a tiny stencil, whose
# events follow from its options, is as expected to the byte.
. "$(dirname "$0")/lib.sh"
logged logs 2 "$examples/stencil2d" --size 4x6 --steps 2 --periodic \
  >logged.txt || fail "the logged run"
plain 2 "$examples/stencil2d" --size 4x6 --steps 2 --periodic >plain.txt ||
  fail "the plain run"
diff logged.txt plain.txt >&2 || fail "the logger changes the output"
diff "$RANKSIGHT_SOURCE/tests/golden/stencil2d.2.rank1.txt" logs/1.txt >&2 ||
  fail "the log of rank 1"
