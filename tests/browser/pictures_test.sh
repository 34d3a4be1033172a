#!/usr/bin/env bash
# The scripts that take the pictures of docs/ still take each of them, of small runs.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../e2e/lib.sh"
skip() {
  echo "SKIPPED: $*"
  exit 77
}
command -v tmux >/dev/null || skip "no tmux"
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import browser, shutil
sys.exit(not any(map(shutil.which, browser.NAMES)))' "$here" || skip "no Chromium"

program=("$examples/stencil2d" --size 8x8 --steps 600 --work-ns)
for ranks in 4 6 9; do
  must_record $ranks.trace $ranks "${program[@]}" 1000
done
LD_PRELOAD=$yield_preload "$ranksight" study --ranks 4,6,9 --forecast 12 \
  --launcher "$launcher -n {ranks}" -- "${program[@]}" 1000 >study.out 2>study.err
[ $? -le 1 ] || fail "study: $(cat study.err)"
mkdir of all
"$here/pictures_of.sh" "$build" of wave {4,6,9}.trace ranksight-study/report.html \
  >of.txt 2>&1 || fail "pictures_of.sh: $(tail -20 of.txt)"
# Two minutes of steps are under way until the picture of them is taken; then they are
# ended.
MANY='4 20' "$here/pictures.sh" "$build" all {4,6,9}.trace -- \
  "$launcher" -n 12 "${program[@]}" 200000000 >all.txt 2>&1 ||
  fail "pictures.sh: $(tail -20 all.txt)"
python3 "$here/drawn.py" of/wave-page.png of/wave-calls.png of/wave-timeline.png \
  of/wave-load.png of/wave-monitor.png of/wave-report.png of/wave-matrix.svg \
  of/wave-map.svg all/page.png all/monitor.png all/page-under-way.png \
  all/page-programs.png all/page-timeline.png all/page-load.png || fail "a picture"
