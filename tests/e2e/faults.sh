#!/usr/bin/env bash
# faults.sh
# The disk fails at every single write of every command that leaves files:
# one line on stderr, exit 4, and what was there before stays as it was.
# Interrupted and partial reads and writes change nothing.
. "$(dirname "$0")/lib.sh"
fault_preload=$build/lib/libfault_preload.so

for ranks in 4 9 16; do
  must_record "$ranks.trace" "$ranks" "$examples/stencil2d" --size 8x8 \
    --steps 3
done
"$ranksight" extrapolate 4.trace 9.trace 16.trace --ranks 25 --symbolic \
  -o symbolic.trace >/dev/null || fail "extrapolation"

# faulty KIND AT COMMAND...: in the folder disk, whose files it can break.
faulty() {
  local kind=$1 at=$2
  shift 2
  rm -f hit
  (cd disk && LD_PRELOAD=$fault_preload FAULT=$kind FAULT_AT=$at \
    FAULT_UNDER=$folder/disk FAULT_HIT=$folder/hit "$@") >out.txt 2>err.txt
}

# state: names and contents of what is on the disk.
state() { (cd disk && find . -type f -exec md5sum {} + -o -type d | sort); }

# fresh: a disk with the inputs on it, and PREPARE run in it.
fresh() {
  rm -rf disk
  mkdir disk
  cp ./*.trace disk
  (cd disk && eval "$prepare") >prepare.txt 2>&1 || {
    cat prepare.txt >&2
    fail "$prepare"
  }
}

# check NAME COMMAND...: with $prepare before each try.
check() {
  local name=$1 kind at before whole
  shift
  fresh
  before=$(state)
  (cd disk && "$@") >out.txt 2>err.txt || {
    cat err.txt >&2
    fail "$name without a fault"
  }
  whole=$(state)
  [ "$before" != "$whole" ] || fail "$name left no file"
  for ((at = 1; ; ++at)); do
    fresh
    faulty ENOSPC "$at" "$@"
    local code=$?
    [ -e hit ] || break
    # A fault that endangers nothing but the name's durability may pass.
    if [ "$code" -eq 0 ]; then
      same "$name, ENOSPC at $at" "$whole"
      continue
    fi
    [ "$code" -eq 4 ] || fail "$name, ENOSPC at $at: exit $code"
    if [ "$(wc -l <err.txt)" -ne 1 ] || ! grep -q '^ranksight: .' err.txt; then
      cat err.txt >&2
      fail "$name, ENOSPC at $at: not one line"
    fi
    # Written, but perhaps not to last: an error, too.
    [ "$(state)" = "$whole" ] || same "$name, ENOSPC at $at" "$before"
  done
  [ "$at" -gt 2 ] || fail "$name: no fault was tried"
  fresh
  faulty short 0 "$@" || fail "$name, short reads and writes: exit $?"
  [ -e hit ] || fail "$name: nothing was short"
  same "$name, short reads and writes" "$whole"
  for at in 1 2 3 4; do
    fresh
    faulty EINTR "$at" "$@" || {
      cat err.txt >&2
      fail "$name, EINTR at $at: exit $?"
    }
    same "$name, EINTR at $at" "$whole"
  done
  echo "$name at $SECONDS s"
}

# same WHAT STATE: of the disk.
same() {
  local found
  found=$(state)
  [ "$2" = "$found" ] || {
    diff <(echo "$2") <(echo "$found") >&2
    cat err.txt >&2
    fail "$1: other files are left"
  }
}

# The runtime: the program ends as it would without, the trace is whole or
# not there; then a part of rank 0 may say why.
plain 2 "$apps/loops" >plain.txt || fail "the plain run"
for ((at = 1; ; ++at)); do
  rm -rf disk
  mkdir disk
  RANKSIGHT_OUTPUT=$folder/disk/run.trace faulty ENOSPC "$at" "$launcher" \
    -n 2 -env LD_PRELOAD "$runtime:$fault_preload:$yield_preload" \
    "$apps/loops" || fail "the program, ENOSPC at $at: exit $?"
  cmp -s plain.txt out.txt || fail "the program's output, ENOSPC at $at"
  [ ! -s err.txt ] || { cat err.txt >&2; fail "the program, ENOSPC at $at"; }
  [ -e hit ] || break
  for left in $(ls -A disk); do
    "$ranksight" show "disk/$left" >shown.txt ||
      fail "the runtime, ENOSPC at $at: $left does not read"
    case $left in
      run.trace) grep -q '^state *complete' shown.txt ;;
      run.trace.rank0.partial) grep -q 'not_written: No space left' shown.txt ;;
      *) false ;;
    esac || fail "the runtime, ENOSPC at $at: leaves $left"
  done
done
[ "$at" -gt 4 ] || fail "the runtime: no fault was tried"
must_record whole.run 2 "$apps/loops"
for fault in "short 0" "EINTR 1"; do
  rm -rf disk
  mkdir disk
  # shellcheck disable=SC2086
  RANKSIGHT_OUTPUT=$folder/disk/run.trace faulty $fault "$launcher" -n 2 \
    -env LD_PRELOAD "$runtime:$fault_preload:$yield_preload" "$apps/loops" ||
    fail "the program, $fault: exit $?"
  cmp -s plain.txt out.txt || fail "the program's output, $fault"
  [ -e hit ] || fail "the runtime, $fault: no fault"
  identical disk/run.trace whole.run
done
echo "runtime at $SECONDS s"

# A full or a read-only disk is seen before the run.
prepare=:
for fault in "ENOSPC 2 No space left on device" "EROFS 1 Read-only file system"; do
  read -r kind at reason <<<"$fault"
  fresh
  faulty "$kind" "$at" "$ranksight" record -o run.trace -- touch ran
  [ $? -eq 4 ] || fail "record, $reason"
  grep -q "$reason" err.txt || { cat err.txt >&2; fail "record, not $reason"; }
  [ ! -e disk/ran ] || fail "recorded, $reason"
done

# In a new place, then where there are files of those names already.
prepare=:
check map "$ranksight" map 9.trace --torus 3x3 -o new.map
check generate "$ranksight" generate 4.trace --to c -o bench
for format in text timeline simgrid goal dimemas dumpi csv mpip; do
  check "$format" "$ranksight" convert 4.trace --to "$format" -o out
done
prepare='for f in new.trace out.csv out.png; do echo old >$f; done'
check extrapolate "$ranksight" extrapolate 4.trace 9.trace 16.trace \
  --ranks 25 -o new.trace
check matrix "$ranksight" matrix 4.trace -o out.csv
check picture "$ranksight" matrix 4.trace -o out.png
check report "$ranksight" convert 4.trace --to csv -o out.csv
prepare='mkdir bench; echo old >bench/Makefile; echo mine >bench/notes'
check generate_again "$ranksight" generate 4.trace --to conceptual -o bench
# What is never the same twice is compared by names and sizes.
state() { (cd disk && find . -type f -printf '%p %s\n' -o -print | sort); }
prepare='mkdir -m 700 k'
check keys "$ranksight" keys --keys k new
"$ranksight" keys --keys k new >key.txt || fail "keys"
prepare="cp -r $PWD/k ."
check keys_allow "$ranksight" keys --keys k allow "$(grep -oE "^.{40}$" key.txt)" node7
if "$ranksight" convert --list | grep -q '^otf2 '; then
  check otf2 "$ranksight" convert 4.trace --to otf2 -o out
fi
