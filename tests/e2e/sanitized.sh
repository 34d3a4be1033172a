#!/usr/bin/env bash
# sanitized.sh LIBRANKSIGHT RANKS PROGRAM ARGS...
# AddressSanitizer and UBSan have nothing to say about the runtime, built with
# them as LIBRANKSIGHT, under a program. Leaks are not looked for: the MPI
# library leaves many, and the runtime lives until the process ends.
. "$(dirname "$0")/lib.sh"
library=$1 ranks=$2
shift 2
sanitizer=$(gcc -print-file-name=libasan.so)
export ASAN_OPTIONS="log_path=$PWD/report exitcode=66 detect_leaks=0 \
detect_stack_use_after_return=0"
export UBSAN_OPTIONS="log_path=$PWD/report print_stacktrace=1"
plain "$ranks" "$@" >plain.txt 2>&1
expected=$?
RANKSIGHT_OUTPUT=$PWD/run.trace "$launcher" -n "$ranks" \
  -env LD_PRELOAD "$sanitizer:$library:$yield_preload" "$@" >out.txt 2>err.txt
status=$?
cat report.* 2>/dev/null | head -60 >&2
ls report.* >/dev/null 2>&1 && fail "reports"
[ $status -eq $expected ] || {
  head -20 out.txt err.txt >&2
  fail "exit $status instead of $expected"
}
[ -s run.trace ] || fail "no trace"
