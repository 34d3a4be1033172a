#!/usr/bin/env bash
# late_return.sh REQUEST_WALK PROGRAM: handles that come again before the wait
# that was done with them is known to have ended.
# The events are the raw logger's, as a multiset, and each call completes
# requests of the communicator that its thread uses.
. "$(dirname "$0")/lib.sh"
walk=$1
program=$2
logged logs 1 "$program" >logged.txt || fail "the logged run"
record run.trace 1 "$program" >out.txt || fail "the recorded run"
grep -q '^late_return: 8 handles came again$' out.txt ||
  fail "not what is tested: $(cat out.txt)"
logged_events logs/0.txt run.trace 0 --unordered
"$walk" run.trace 0 >walk.txt || fail "requests"
# Communicators are numbered from 2. What the main thread waits for comes in
# eight kinds of 120 calls, four of one request and four of two.
sort walk.txt | uniq -c | sort -k2 >counts.txt
diff - <(sed 's/^ *//' counts.txt) <<'END' || fail "who completed what"
480 1: 2
8 1: 3
480 2: 2 2
END
# What was matched: everything that asked for any source.
"$ranksight" show run.trace --tree >tree.txt || fail "show --tree"
for matches in 'MPI_Wait .* match_count=0x240 1x240 matched=r ' \
  'MPI_Waitall .* match_count=0x240 2x240 matched=r ' \
  'MPI_Wait .* match_count=1 matched=r matched_tags=0..6 by 2 '; do
  grep -q "$matches" tree.txt || fail "no $matches in $(cat tree.txt)"
done
