#!/usr/bin/env bash
# hostile_source.sh: what is written from a trace of hostile names is built and
# run, and does what the trace says and nothing that a name says.
. "$(dirname "$0")/lib.sh"
here=$RANKSIGHT_SOURCE/tests/e2e
mark=$folder/pwned
# Each runs a command, or ends the source, where a tool takes it for its own.
touch="touch $mark"
names=(
  "a\"'*/%0aFORGED%09\$($touch)\`$touch\`<script>alert(1)</script>"
  "*/ int forged = system(\"$touch\"); /*"
  "x??/%0aFORGED \\%0aFORGED\\"
  "??/"
  "\\"
  "%25s%25n,%e2%80%ae%e2%81%a6%1b[2J%ff%c3%28%c2%9b2J;$touch;"
  "%0a#include \"/etc/passwd\"%0a#pragma GCC system_header"
  "%0aall:%0a%09$touch%0a"
  "\$(shell $touch)"
  "-o"
  "; $touch #"
)
# Names that a tool gives a meaning of its own to.
names+=(Makefile GNUmakefile clean benchmark.h shape.h a.c .. %2e%2e/pwned)
nothing_ran() { [ ! -e "$mark" ] || fail "$1 ran a command of a name"; }
# harmless PATH...: all text in them, looked at in one go.
harmless() {
  local paths
  mapfile -d '' paths < <(find "$@" -type f ! -name '*.bin' ! -name '*.def' \
    ! -name '*.evt' ! -name '*.otf2' ! -name '*.et' ! -path goal-bin -print0)
  python3 "$here/shown.py" text "${paths[@]}" || fail "$*"
}

must_record run.trace 2 "$apps/regions"
mapfile -t formats < <("$ranksight" convert --list --json | python3 -c '
import json, sys
for f in json.load(sys.stdin)["formats"]:
    if f["writes"]: print(f["name"])')
[ "${#formats[@]}" -ge 9 ] || fail "formats: ${formats[*]}"
for ((k = 0; k < ${#names[@]}; ++k)); do
  name=${names[k]}
  "$build/bin/hostile_trace" run.trace hostile.trace "$name" || fail "$name"
  expect_exit 0 "$ranksight" generate hostile.trace --to c -o "c$k"
  harmless "c$k"
  expect_exit 0 make -C "c$k" MPICC="${RANKSIGHT_MPICC:-mpicc.mpich}" \
    CFLAGS="-std=c99 -O1 -Wall -Wextra -Werror"
  program=$(find "c$k" -name '*_tables.h' -printf '%P\n')
  must_record again.trace 2 "c$k/${program%_tables.h}" --no-compute
  identical run.trace again.trace
  expect_exit 0 make -C "c$k" clean
  [ ! -e "c$k/${program%_tables.h}" ] || fail "not cleaned: $name"
  for format in "${formats[@]}"; do
    expect_exit 0 "$ranksight" convert hostile.trace --to "$format" -o "$format"
  done
  harmless "${formats[@]}"
  rm -r "${formats[@]}"
  # It may be refused, since ranks reach collectives at different places.
  timeout 600 "$ranksight" generate hostile.trace --to conceptual -o n \
    >out.txt 2>err.txt
  [ $? -le 1 ] || fail "generate --to conceptual: $(cat err.txt)"
  [ ! -e n ] || harmless n
  rm -rf n
  nothing_ran "$name"
done
