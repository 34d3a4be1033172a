#!/usr/bin/env bash
# replay_scaled.sh RANKS PROGRAM ARGS...: a replay with --bytes-scale makes the
# program's calls with as many times the bytes; where that is no whole number
# both ends of a message round alike.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
scaled() {  # FACTOR
  rm -rf scaled
  expect_exit 0 logged scaled "$ranks" "$build/bin/ranksight-replay" run.trace \
    --no-compute --stall 600 --wildcards --bytes-scale "$1"
}
must_record run.trace "$ranks" "$@"
logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
scaled 100
for ((rank = 0; rank < ranks; ++rank)); do
  python3 -c 'import re, sys
for line in open(sys.argv[1]):
    print(re.sub("(?<=bytes=)[0-9]+", lambda n: n[0] + "00" * (n[0] != "0"),
                 line), end="")
' "logs/$rank.txt" >wanted.txt
  diff wanted.txt "scaled/$rank.txt" >difference.txt || {
    head -20 difference.txt >&2
    fail "rank $rank: < the program's calls, > those of the replay"
  }
done
scaled 0.4
