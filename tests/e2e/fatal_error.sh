#!/usr/bin/env bash
# fatal_error.sh: an error of MPI that ends the job leaves the part of the rank
# that made it, a beginning of the independent log, and the program says and
# returns what it does without us.
. "$(dirname "$0")/lib.sh"
logged logs 4 "$apps/crash" none 600 0 >/dev/null
program=("$apps/crash" error 600 500)
# Places in memory and numbers of processes differ by run.
words() { grep -i 'send\|fatal' "$1" | sed 's/0x[0-9a-f]*//g; s/[0-9]\{3,\}//g'; }
limit_launches 10
# ran NAME COMMAND...: its exit. What a rank said last may be lost with it, and
# Open MPI's launcher hangs (137) or ends in a segmentation fault of its own five
# times of sixty when a job aborts, without us too.
ran() {
  local name=$1 status=0
  shift
  for _ in 1 2 3 4 5 6; do
    rm -f run.trace*
    "$@" >"$name.out" 2>"$name.err"
    status=$?
    words "$name.err" >"$name.words"
    [ $status -ne 137 ] || continue
    grep -q PMIx_server_finalize "$name.err" && continue
    [ ! -s "$name.words" ] || break
  done
  return $status
}
ran plain plain 4 "${program[@]}"
expected=$?
ran ours record run.trace 4 "${program[@]}"
[ $? -eq "$expected" ] || fail "not exit $expected"
cmp plain.out ours.out || fail "other output"
diff plain.words ours.words >&2 || fail "other words"
part=run.trace.rank1.partial
[ -s $part ] || { cat ours.err; fail "nothing is left"; }
"$ranksight" show $part | grep -q '^state *partial, complete until ' ||
  fail "not marked partial"
events $part 1 >shown.txt
[ "$(wc -l <shown.txt)" -ge 500 ] || fail "events are missing"
cmp -n "$(stat -c %s shown.txt)" shown.txt logs/1.txt ||
  fail "no beginning of the log"
