#!/usr/bin/env bash
# many_ranks.sh
# What is made for many ranks can be read; what could not is not written.
. "$(dirname "$0")/lib.sh"
for ranks in 4 9 16; do
  must_record "$ranks.trace" "$ranks" "$examples/stencil2d" --size 8x8 \
    --steps 3
done
for ranks in 1048576 8388608; do
  code=0
  "$ranksight" extrapolate 4.trace 9.trace 16.trace --ranks "$ranks" \
    -o "$ranks.trace" >out.txt 2>err.txt || code=$?
  if [ "$code" -eq 0 ]; then
    expect_exit 0 "$ranksight" show "$ranks.trace"
    grep -q "^ranks *$ranks" out.txt || { cat out.txt; fail "other ranks"; }
    continue
  fi
  [ "$code" -eq 1 ] || { cat err.txt; fail "$ranks ranks: exit $code"; }
  drop_progress err.txt
  [ "$(wc -l <err.txt)" -eq 1 ] || { cat err.txt; fail "not one line"; }
  grep -q "describes more than readers take" err.txt || fail "$(cat err.txt)"
  [ ! -e "$ranks.trace" ] || fail "$ranks ranks: written all the same"
done
expect_exit 0 "$ranksight" matrix 1048576.trace -o matrix.png
[ -s matrix.png ] || fail "no picture"
[ -e 1048576.trace ] || fail "a million ranks are refused"
[ ! -e 8388608.trace ] || fail "the larger one no longer tests anything"
