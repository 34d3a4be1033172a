#!/usr/bin/env bash
# terminal_plot.sh: `forecast` and `monitor` draw a chart as wide as the terminal,
# of Braille where that takes UTF-8, and none in a pipe; both begin with the same
# verdict.
. "$(dirname "$0")/lib.sh"
for n in 2 4 8; do
  must_record $n.trace $n "$examples/stencil2d" --size 16x16 --steps 20
done
forecast=("$ranksight" forecast {2,4,8}.trace --ranks 16,32 --laws-only)
status=0
"${forecast[@]}" >piped.txt 2>/dev/null || status=$?
[ "$status" -le 1 ] || fail "forecast: $status"
verdict=$(head -1 piped.txt)
grep -q 'run time over ranks' piped.txt && fail "a chart in a pipe"

on_terminal() {  # COLUMNS LOCALE COMMAND...
  LC_ALL=$2 timeout 600 "$(dirname "$0")/on_terminal.py" --columns "$1" "${@:3}" |
    tr -d '\r' >screen.txt
}
check() {  # COLUMNS LOCALE: of screen.txt
  python3 - "$1" "$2" "$verdict" <<'END' || fail "$(cat screen.txt)"
import re, sys
columns, utf8, verdict = int(sys.argv[1]), sys.argv[2] != "C", sys.argv[3].strip()
text = open("screen.txt", encoding="utf-8").read()
lines = [line for line in text.splitlines()
         if not line.startswith("ranksight: ")]
assert verdict in " ".join(text.split()), verdict
axis = max(lines, key=lambda line: line.count("-"))
assert len(axis.rstrip()) == columns, (len(axis), columns)
title = next(i for i, line in enumerate(lines) if "run time over ranks" in line)
chart = "\n".join(lines[title:lines.index(axis) + 3])
assert chart.isascii() != utf8, chart
assert ("\u25cf measured" if utf8 else "O measured") in chart, chart
assert re.search(r"\d (s|ms|us) +\|", chart), chart
assert re.search(r"ideal \((strong|weak) scaling\)", chart) or columns < 90, chart
END
}
for columns in 60 100 140; do
  for locale in C C.UTF-8; do
    on_terminal "$columns" "$locale" "${forecast[@]}"
    check "$columns" "$locale"
  done
done

expect_exit 0 "$ranksight" runs import --store store {2,4,8}.trace
start_page --listen "ipc://$folder/socket" --store store --http 127.0.0.1:0
"$ranksight" monitor --store store --once --ranks 16,32 >piped.txt ||
  fail "monitor --once"
verdict=$(sed -n '2,/^ *ranks/p' piped.txt | sed '$d' | tr -s '\n ' ' ')
grep -q 'run time over ranks' piped.txt && fail "the monitor's chart in a pipe"
grep -Eq '^measured +2 .* 1 run$' piped.txt || fail "$(cat piped.txt)"
grep -Eq '(strong|weak) efficiency' piped.txt || fail "$(cat piped.txt)"
for columns in 80 120; do
  on_terminal "$columns" C.UTF-8 "$ranksight" monitor --store store --once \
    --ranks 16,32
  check "$columns" C.UTF-8
done
# In full screen, too.
on_terminal 90 C.UTF-8 --until 'measured' --leave q "$ranksight" monitor \
  --store store --ranks 16,32
grep -q '●' screen.txt || fail "no chart on the screen"
