#!/usr/bin/env bash
# `ranksight diff` tells different traces apart.
. "$(dirname "$0")/lib.sh"
program=$examples/stencil2d
must_record a.trace 4 "$program" --size 8x8 --steps 10
must_record b.trace 4 "$program" --size 8x8 --steps 11
must_record c.trace 4 "$program" --size 8x9 --steps 10
must_record d.trace 6 "$program" --size 8x8 --steps 10
identical a.trace a.trace
for other in b c d; do
  expect_exit 1 "$ranksight" diff a.trace $other.trace
  [ -s out.txt ] || fail "differs, but nothing is said"
  if grep -q '^identical' out.txt; then fail "called identical"; fi
done
