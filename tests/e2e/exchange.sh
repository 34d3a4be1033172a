#!/usr/bin/env bash
# exchange.sh RANKS PROGRAM ARGS...: a replay with messages in place of
# collectives makes as many messages and bytes as the standard says that their
# shares are, and every other call as before.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
exchanged() {  # LIST
  rm -rf exchanged
  expect_exit 0 logged exchanged "$ranks" "$build/bin/ranksight-replay" \
    run.trace --no-compute --stall 600 --exchange "$1"
  expect_exit 0 "$here/read_exchange.py" logs exchanged
}
exchanged all=p2p
exchanged all=p2p,barrier=collective,reduce=collective
