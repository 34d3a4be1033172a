#!/usr/bin/env bash
# wanders.sh PROGRAM: names of traces and parts mean the folder where the job was
# started, wherever ranks go or were put by the launcher; descriptors that the
# program closed change nothing, and nothing of ours gets into what it opens.
. "$(dirname "$0")/lib.sh"
recorded() {  # OPTIONS...
  LD_PRELOAD=$yield_preload "$ranksight" record "$@" >out.txt 2>err.txt
}
name=$(basename "$1")
for how in away gone closed closes; do
  for options in "" "-o run.trace"; do
    rm -rf ./*.trace away.* opened.*
    # shellcheck disable=SC2086  # two words
    recorded $options -- "$launcher" -n 2 "$1" $how ||
      fail "$how: $(cat err.txt)"
    [ ! -s err.txt ] || fail "$how: $(cat err.txt)"
    trace=${options#-o }
    must_be_complete "${trace:-$name.2.trace}"
    [ "$(find . -name '*.trace' | wc -l)" -eq 1 ] || fail "$how: $(ls -R)"
  done
done
[ "$(cat opened.0 opened.1)" = "$(printf 'mine\nmine\nmine\nmine')" ] ||
  fail "something of ours is in the program's files"
# Without the command, each rank from the folder it was started in.
rm -rf ./*.trace away.*
mkdir one two
LD_PRELOAD=$runtime:$yield_preload RANKSIGHT_OUTPUT=run.trace "$launcher" \
  -n 1 -wdir "$PWD/one" "$1" away : -n 1 -wdir "$PWD/two" "$1" away ||
  fail "the run by hand"
must_be_complete one/run.trace
# With it, all mean the same.
recorded -- "$launcher" -n 1 -wdir "$PWD/one" "$1" away : \
  -n 1 -wdir "$PWD/two" "$1" away || fail "the run from two folders"
must_be_complete "$name.2.trace"
recorded -- "$launcher" -n 1 -wdir "$PWD/one" "$1" crash : \
  -n 1 -wdir "$PWD/two" "$1" crash && fail "nothing went wrong"
[ -s "$name.2.trace.rank1.partial" ] || fail "the part is elsewhere: $(ls -R)"
# What waits for a side-car.
mkdir spool
RANKSIGHT_PATIENCE=1 RANKSIGHT_SPOOL=spool recorded -o run.trace --to "ipc://$folder/nobody" -- \
  "$launcher" -n 2 "$1" away || fail "the run without a side-car"
[ -n "$(find spool -name '*.trace')" ] || fail "the spool is elsewhere"
exit 0
