#!/usr/bin/env bash
# conceptual.sh RANKS PROGRAM ARGS...
# The coNCePTuaL program of a trace, expanded by a reader of our own, makes the
# messages and collectives of the raw log and comes to an end.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
ranks=$1
shift
must_record run.trace "$ranks" "$@"
logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
expect_exit 0 "$ranksight" generate run.trace --to conceptual -o made
expect_exit 0 "$here/read_conceptual.py" made/*.ncptl logs
grep -q '^[1-9][0-9]* actions' out.txt || fail "nothing was compared"
# With messages in place of collectives.
expect_exit 0 "$ranksight" generate run.trace --to conceptual -o made \
  --exchange all=p2p
expect_exit 0 "$here/read_conceptual.py" made/*.ncptl logs exchanged
grep -q '^[1-9][0-9]* actions' out.txt || fail "nothing was compared"
