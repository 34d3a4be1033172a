#!/usr/bin/env bash
# same_sites.sh RANKS PROGRAM ARGS...
# Wherever the loader puts things, two runs give the same structure with the
# same call sites, on every rank.
. "$(dirname "$0")/lib.sh"
for run in first second; do
  must_record $run.trace "$@"
  expect_exit 0 "$ranksight" show $run.trace --tree
  cp out.txt $run.txt
done
[ -s first.txt ] || fail "no tree"
cmp first.txt second.txt || fail "the trees differ"
identical first.trace second.trace
