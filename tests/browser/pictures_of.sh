#!/usr/bin/env bash
# pictures_of.sh BUILD OUT NAME TRACE... [REPORT.html]: what there is to see of one
# program's runs, whoever's program it is and wherever it ran, as OUT/NAME-page.png,
# -calls.png (the call tree), -timeline.png, -load.png, -monitor.png, -matrix.svg and
# -map.svg (of the largest run, on a torus), and of what `study` wrote -report.png.
# Needs tmux.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ranksight=$(cd "$1" && pwd)/bin/ranksight
out=$(realpath "$2")/$3
shift 3
traces=() report=
for file; do
  case $file in
    *.html) report=$(realpath "$file") ;;
    *) traces+=("$file") ;;
  esac
done
folder=$(mktemp -d)
server=
tidy_up() {
  tmux -S "$folder/tmux" kill-server 2>/dev/null || true
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap tidy_up EXIT

"$ranksight" runs import --store "$folder/store" "${traces[@]}"
"$ranksight" serve --listen "ipc://$folder/socket" --store "$folder/store" \
  --http 127.0.0.1:0 2>"$folder/err" &
server=$!
until grep -q 'page at' "$folder/err"; do kill -0 $server && sleep 0.1; done
address=$(sed -n 's/.*page at //p' "$folder/err")
walking() {
  "$ranksight" monitor --store "$folder/store" --once --jsonl |
    grep -q '"walking":true'
}
while walking; do sleep 1; done
python3 "$here/picture.py" "$address" 1280 1180 "$out-page.png"
python3 "$here/picture.py" "$address&tree=1" 1000 5200 "$folder/whole.png" \
  'section:has(#site-chart)' "$out-calls.png" \
  'section:has(#timeline)' "$out-timeline.png" \
  'section:has(#load)' "$out-load.png"
bash "$here/terminal_picture.sh" "$folder/tmux" 100 42 "$out-monitor.png" 'q leave' \
  "$ranksight monitor --store $folder/store"
if [ -n "$report" ]; then
  python3 "$here/picture.py" "file://$report" 1000 1400 "$out-report.png"
fi

largest=$(for t in "${traces[@]}"; do
  "$ranksight" show "$t" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["ranks"], sys.argv[1])' "$t"
done | sort -n | tail -n 1)
"$ranksight" matrix "${largest#* }" -o "$out-matrix.svg"
# The smallest cube that has room for all.
side=1
while [ $((side * side * side)) -lt "${largest%% *}" ]; do side=$((side + 1)); done
"$ranksight" map "${largest#* }" --torus "${side}x${side}x${side}" \
  --png "$out-map.svg" >"$folder/map"
