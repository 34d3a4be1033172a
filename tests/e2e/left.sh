#!/usr/bin/env bash
# left.sh jump|throw: of the calls that an error handler leaves the trace says
# how many there were; all others are there, predicted or not, and it is complete.
# A replay is refused before it starts.
. "$(dirname "$0")/lib.sh"
plain 2 "$apps/left" "$1" >plain.out || fail "the run without the runtime"
for RANKSIGHT_PREDICT in on off; do
  export RANKSIGHT_PREDICT
  must_record run.trace 2 "$apps/left" "$1"
  cmp plain.out record.out || fail "the program prints something else"
  for rank in 0 1; do
    events run.trace $rank >events.txt || fail "show --events"
    for calls in 'Send 19' 'Allreduce 40' 'Isend 20' 'Recv 19' 'Wait 20'; do
      [ "$(grep -c "^MPI_${calls% *} " events.txt)" = "${calls#* }" ] || {
        sort events.txt | uniq -c
        fail "rank $rank, $RANKSIGHT_PREDICT: not $calls"
      }
    done
  done
  "$ranksight" show run.trace >show.txt
  grep -q '^state *complete' show.txt || { cat show.txt; fail "not complete"; }
  grep -q '^losses .*calls_left 4' show.txt ||
    { cat show.txt; fail "they are not counted"; }
done
expect_exit 1 "$ranksight" replay run.trace --no-compute \
  --launcher "$launcher -n {ranks}"
grep -q 'the program left 4 calls by a jump or an exception' err.txt ||
  fail "$(cat err.txt)"
exit 0
