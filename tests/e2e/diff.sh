#!/usr/bin/env bash
# diff.sh SLOTS: `ranksight diff` tells different traces apart.
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

slots=$1
# Requests in slots with holes, completed together or as they come, in another
# order each time: the same meaning, and for each way the same calls.
for way in all any each some; do
  must_record $way.trace 4 "$slots" $way
  must_record $way.again.trace 4 "$slots" $way
  expect_exit 0 "$ranksight" diff all.trace $way.trace
  case $way in
    all) grep -q '^identical: ' out.txt || fail "all differs from itself" ;;
    *) grep -q '^identical in meaning: ' out.txt || fail "$way: $(cat out.txt)"
       expect_exit 1 "$ranksight" diff --literal all.trace $way.trace ;;
  esac
done
identical all.trace all.again.trace
identical any.trace any.again.trace
