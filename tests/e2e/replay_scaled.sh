#!/usr/bin/env bash
# replay_scaled.sh RANKS FACTOR PROGRAM ARGS...: a replay with --bytes-scale makes
# the program's calls with as many times the bytes. FACTOR: a whole number.
. "$(dirname "$0")/lib.sh"
ranks=$1 factor=$2
shift 2
must_record run.trace "$ranks" "$@"
logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
expect_exit 0 logged scaled "$ranks" "$build/bin/ranksight-replay" run.trace \
  --no-compute --stall 50 --wildcards --bytes-scale "$factor"
for ((rank = 0; rank < ranks; ++rank)); do
  python3 -c 'import re, sys
for line in open(sys.argv[1]):
    print(re.sub("(?<=bytes=)[0-9]+",
                 lambda n: str(int(n[0]) * int(sys.argv[2])), line), end="")
' "logs/$rank.txt" "$factor" >wanted.txt
  diff wanted.txt "scaled/$rank.txt" >difference.txt || {
    head -20 difference.txt >&2
    fail "rank $rank: < the program's calls, > those of the replay"
  }
done
