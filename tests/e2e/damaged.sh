#!/usr/bin/env bash
# Truncated and altered trace files: exit 3 with `file:offset: reason`, or a
# readable trace; never anything else. The library's own tests try every
# byte; this asks whether the command says it as the contract does.
. "$(dirname "$0")/lib.sh"
must_record good.trace 2 "$examples/stencil2d" --size 4x4 --steps 3
size=$(stat -c %s good.trace)
damaged='bad\.trace'
check() {
  local code=0
  timeout 600 "$ranksight" "$@" >out.txt 2>err.txt || code=$?
  if [ "$code" -eq 3 ]; then
    grep -q "$damaged:[0-9][0-9]*: ." err.txt || {
      cat err.txt >&2
      fail "no file:offset: reason ($what)"
    }
  elif [ "$code" -ne 0 ]; then
    head -20 err.txt >&2
    fail "exit $code ($what): $*"
  fi
}
# flip FILE AT: all bits of a byte.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf '%b' "\\x$(printf '%02x' $((byte ^ 255)))" |
    dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
step=$((size / 40 + 1))
for ((at = 0; at < size; at += step)); do
  what="cut at $at"
  head -c "$at" good.trace >bad.trace
  check show bad.trace
  what="byte $at flipped"
  cp good.trace bad.trace
  flip bad.trace "$at"
  check show bad.trace --events --rank 0
  check stats bad.trace
done
: >bad.trace
expect_exit 3 "$ranksight" show bad.trace
head -c $((size / 2)) good.trace >bad.trace
expect_exit 3 "$ranksight" diff good.trace bad.trace
expect_exit 3 "$ranksight" extrapolate bad.trace good.trace --ranks 9 \
  -o never.trace
[ ! -e never.trace ] || fail "a trace was made of damaged input"

# Another tool's archive, read by its library.
if "$ranksight" convert --list | grep -q '^otf2 '; then
  "$ranksight" convert good.trace --to otf2 -o good >/dev/null ||
    fail "no archive was made"
  damaged='bad/traces\.otf2'
  for file in traces.otf2 traces.def traces/0.evt traces/1.def; do
    size=$(stat -c %s "good/$file")
    for ((at = 0; at < size; at += size / 12 + 1)); do
      what="$file, byte $at flipped"
      rm -rf bad
      cp -r good bad
      flip "bad/$file" "$at"
      check convert bad/traces.otf2 --from otf2 -o read.trace
      what="$file, cut at $at"
      head -c "$at" "good/$file" >"bad/$file"
      check convert bad/traces.otf2 --from otf2 -o read.trace
    done
  done
fi
