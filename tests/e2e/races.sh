#!/usr/bin/env bash
# races.sh LIBRANKSIGHT PROGRAM ARGS...
# ThreadSanitizer has nothing to say about the runtime, built with it as
# LIBRANKSIGHT, under a program whose threads make calls. Predictions, and the
# ownership that takes the place of a lock, are off then: the sanitizer knows
# nothing of membarrier.
. "$(dirname "$0")/lib.sh"
library=$1
shift
sanitizer=$(gcc -print-file-name=libtsan.so)
# The MPI library is not instrumented, and moves memory between threads.
printf 'called_from_lib:%s\n' libmpich.so libucp.so libuct.so libucs.so \
  libucm.so >suppressions.txt
export TSAN_OPTIONS="suppressions=$PWD/suppressions.txt log_path=$PWD/report \
exitcode=66 ignore_noninstrumented_modules=1"
RANKSIGHT_OUTPUT=$PWD/run.trace "$launcher" -n 2 \
  -env LD_PRELOAD "$sanitizer:$library:$yield_preload" "$@" >out.txt 2>err.txt
status=$?
cat report.* 2>/dev/null | head -60 >&2
ls report.* >/dev/null 2>&1 && fail "reports"
[ $status -eq 0 ] || { head -20 out.txt err.txt >&2; fail "exit $status"; }
[ -s run.trace ] || fail "no trace"
