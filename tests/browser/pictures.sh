#!/usr/bin/env bash
# pictures.sh BUILD OUT TRACE... -- COMMAND...: what the side-car shows of these
# runs, as pictures: OUT/page.png, the page, OUT/monitor.png, the terminal, and
# OUT/page-under-way.png, while COMMAND, a launcher and the same program on more
# ranks, is under way for some seconds; and OUT/page-programs.png, its list of many
# programs, OUT/page-timeline.png and OUT/page-load.png, of one of two_builds'. MANY
# says how many programs that list has, and runs. Needs tmux.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
ranksight=$build/bin/ranksight
out=$(realpath "$2")
shift 2
traces=()
while [ "$1" != -- ]; do
  traces+=("$1")
  shift
done
shift
command=("$@")
folder=$(mktemp -d)
tidy_up() {
  tmux -S "$folder/tmux" kill-server 2>/dev/null || true
  kill "$server" "$many" 2>/dev/null || true
  kill -KILL "${stopped[@]}" 2>/dev/null || true
  rm -rf "$folder"
}
server='' many='' stopped=()
trap tidy_up EXIT
read -r programs runs <<<"${MANY:-100 10000}"
"$build/bin/many_programs" "$folder/many" "$programs" "$runs"
"$ranksight" serve --listen "ipc://$folder/many.socket" --store "$folder/many" \
  --http 127.0.0.1:0 2>"$folder/many.err" &
many=$!
until grep -q 'page at' "$folder/many.err"; do kill -0 $many && sleep 0.1; done
python3 "$here/picture.py" "$(sed -n 's/.*page at //p' "$folder/many.err")" \
  1280 700 "$out/page-programs.png"
kill $many
"$build/bin/two_builds" "$folder/two"
"$ranksight" serve --listen "ipc://$folder/two.socket" --store "$folder/two" \
  --http 127.0.0.1:0 2>"$folder/two.err" &
many=$!
until grep -q 'page at' "$folder/two.err"; do kill -0 $many && sleep 0.1; done
python3 "$here/picture.py" "$(sed -n 's/.*page at //p' "$folder/two.err")" \
  1000 3600 "$folder/list.png" 'section:has(#timeline)' "$out/page-timeline.png" \
  'section:has(#load)' "$out/page-load.png"
kill $many
"$ranksight" runs import --store "$folder/store" "${traces[@]}"
"$ranksight" serve --listen "ipc://$folder/socket" --store "$folder/store" \
  --http 127.0.0.1:0 2>"$folder/err" &
server=$!
until grep -q 'page at' "$folder/err"; do kill -0 $server && sleep 0.1; done
walked() {  # all points have been walked
  ! "$ranksight" monitor --store "$folder/store" --once --jsonl |
    grep -q '"walking":true'
}
until walked; do sleep 1; done
python3 "$here/picture.py" "$(sed -n 's/.*page at //p' "$folder/err")" \
  1280 1180 "$out/page.png"
bash "$here/terminal_picture.sh" "$folder/tmux" 100 42 "$out/monitor.png" 'q leave' \
  "$ranksight monitor --store $folder/store"

# A run that is under way, and used: it stands still while its picture is taken.
all_of() {  # a process and what it started
  local child
  echo "$1"
  for child in $(pgrep -P "$1"); do all_of "$child"; done
}
# Ranks that wait leave the cores to those that have something to do.
LD_PRELOAD=$build/lib/libyield_preload.so IDLE_US=200 "$ranksight" record \
  -o "$folder/run.trace" --epoch 0.5 \
  --to "ipc://$folder/socket" -- "${command[@]}" >"$folder/run.out" 2>&1 &
run=$!
# Asked of the side-car itself: monitor waits for walks, and the run may be over.
address=$(sed -n 's/.*page at //p' "$folder/err")
until curl -s -H "Authorization: Bearer ${address#*token=}" \
  "${address%%/#*}/metrics" | grep -q '^ranksight_under_way_share_seen'; do
  kill -0 $run && sleep 0.1
done
mapfile -t stopped < <(all_of $run)
# Helpers of the launcher may have ended meanwhile; the run must not.
kill -STOP "${stopped[@]}" 2>/dev/null || kill -0 $run
until walked; do sleep 1; done
python3 "$here/picture.py" "$(sed -n 's/.*page at //p' "$folder/err")" \
  1280 1180 "$out/page-under-way.png"
