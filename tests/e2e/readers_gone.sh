#!/usr/bin/env bash
# Whoever reads what serve and study say may leave: runs are stored, reports
# written and nothing is left behind.
. "$(dirname "$0")/lib.sh"
mkdir tmp
export TMPDIR=$folder/tmp

mkfifo log
head -1 log >first.txt &
"$ranksight" serve --listen ipc://sock --store store --http 127.0.0.1:0 \
  2>log &
server=$!
background+=("$server")
wait_for test -S sock || fail "serve does not listen"
wait_for grep -q listening first.txt || fail "serve said nothing"
stored() { [ "$(find store -name '*.trace' | wc -l)" = "$1" ]; }
for run in 1 2 3; do
  LD_PRELOAD=$yield_preload "$ranksight" record -o "$run.trace" \
    --to ipc://sock -- "$launcher" -n 2 "$examples/stencil2d" --size 4x4 \
    --steps 5 >/dev/null || fail "record"
  wait_for stored "$run" || fail "not stored: $(find store)"
done
kill -HUP "$server"
wait "$server" || fail "serve ended with $? at SIGHUP"
[ ! -e sock ] && [ ! -e store/http ] || fail "left: $(find sock store)"

study() {
  "$ranksight" study --ranks 1,2 --forecast 64 \
    --launcher "$launcher -n {ranks}" -- "$examples/stencil2d" --size 8x8 \
    --steps 5
}
study 2>study.err | head -0
[ "${PIPESTATUS[0]}" = 4 ] || fail "study: $(cat study.err)"
[ "$(grep -c 'cannot write the results' study.err)" = 1 ] ||
  fail "$(cat study.err)"
[ -s ranksight-study/report.txt ] || fail "no report"

[ -z "$(ls tmp)" ] || fail "left in TMPDIR: $(ls tmp)"
