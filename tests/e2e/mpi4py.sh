#!/usr/bin/env bash
# mpi4py.sh PROGRAM.py: a Python program that opens MPI while it runs. The raw
# logger stands behind the recorder, so that both see the same run.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
"$python" -c 'import mpi4py' 2>err.txt || { echo "skipped: no mpi4py"; exit 77; }
plain 3 "$python" "$1" >plain.out || fail "the run without the runtime"
mkdir logs
export RAWLOG_DIR=$PWD/logs
alone=$yield_preload
yield_preload=$raw_logger:$yield_preload
must_record run.trace 3 "$python" "$1"
diff plain.out record.out >&2 || fail "output differs"
must_be_complete run.trace
for rank in 0 1 2; do logged_events "logs/$rank.txt" run.trace "$rank"; done
yield_preload=$alone
unset RAWLOG_DIR
replay_recorded run.trace again.trace
identical run.trace again.trace
