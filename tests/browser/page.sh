#!/usr/bin/env bash
# The side-car's page and the report of `study` in a headless Chromium.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../e2e/lib.sh"
# A name that would be markup if it were not escaped.
odd='<img src=x onerror=document.title=1>'
cp "$apps/wavefront" "$odd"
for ranks in 3 4 5; do
  must_record $ranks.trace $ranks "./$odd"
done
expect_exit 0 "$ranksight" runs import --store store {3,4,5}.trace
# Browsers of 2022 have no lookbehind, and refuse a whole script for one.
assets=$here/../../online_model/web/assets
[ -f "$assets/page.js" ] || fail "no scripts of the page in $assets"
! grep -nE '\(\?<[=!]' "$assets"/*.js || fail "a lookbehind"
endpoint=ipc://$folder/socket
"$ranksight" serve --listen "$endpoint" --store store --http 127.0.0.1:0 \
  2>serve.err &
background+=("$!")
wait_for grep -q 'page at' serve.err || fail "serve: $(cat serve.err)"
python3 "$here/page.py" "$(sed -n 's/.*page at //p' serve.err)" \
  5.trace "$odd" env LD_PRELOAD="$yield_preload" "$ranksight" record \
  -o 6.trace --to "$endpoint" -- "$launcher" -n 6 "./$odd" ||
  fail "the page"
"$build/bin/many_programs" many 100 400 || fail "many_programs"
"$ranksight" serve --listen "ipc://$folder/many.socket" --store many \
  --http 127.0.0.1:0 2>many.err &
background+=("$!")
wait_for grep -q 'page at' many.err || fail "serve: $(cat many.err)"
python3 "$here/overview.py" "$(sed -n 's/.*page at //p' many.err)" ||
  fail "the list of programs"
"$build/bin/two_builds" two || fail "two_builds"
"$ranksight" serve --listen "ipc://$folder/two.socket" --store two \
  --http 127.0.0.1:0 2>two.err &
background+=("$!")
wait_for grep -q 'page at' two.err || fail "serve: $(cat two.err)"
python3 "$here/tasks.py" "$(sed -n 's/.*page at //p' two.err)" two ||
  fail "five tasks"
# Runs of a quarter of the steps on a torus, by the best mapping and with neighbours
# far apart: messages are walked link by link, and four times.
torus=2x2x32m
"$build/bin/two_builds" placed 10 || fail "two_builds"
expect_exit 0 "$ranksight" map --torus $torus -o best.map placed/runs/b2222222-128-0.trace
{
  echo '# places'
  for rank in {0..127}; do
    place=$((rank * 61 % 128))
    echo $((place % 2)) $((place / 2 % 2)) $((place / 4)) 0
  done
} >far.map
for mapping in best far; do
  "$ranksight" forecast --store placed --program solver --ranks 64,128 --json \
    --torus $torus --map $mapping.map >$mapping.json 2>err.txt
  [ $? -le 1 ] || fail "forecast by $mapping.map: $(cat err.txt)"
done
"$ranksight" serve --listen "ipc://$folder/torus.socket" --store placed \
  --http 127.0.0.1:0 --torus $torus --map best.map 2>torus.err &
background+=("$!")
wait_for grep -q 'page at' torus.err || fail "serve: $(cat torus.err)"
python3 "$here/mappings.py" "$(sed -n 's/.*page at //p' torus.err)" best.map \
  best.json far.json || fail "two mappings"
kill "${background[-1]}" && wait "${background[-1]}"
# The same runs on the first nodes of a tree and of a dragonfly.
while read -r sides option shape; do
  "$ranksight" forecast --store placed --program solver --ranks 64,128 --json \
    "$option" "$shape" >own.json 2>err.txt
  [ $? -le 1 ] || fail "forecast $option $shape: $(cat err.txt)"
  "$ranksight" serve --listen "ipc://$folder/own.socket" --store placed \
    --http 127.0.0.1:0 "$option" "$shape" 2>"own$option.err" &
  background+=("$!")
  wait_for grep -qs 'page at' "own$option.err" ||
    fail "serve: $(cat "own$option.err")"
  python3 "$here/networks.py" "$(sed -n 's/.*page at //p' "own$option.err")" \
    "$sides" own.json || fail "ranks on $shape"
  kill "${background[-1]}" && wait "${background[-1]}"
done <<'NETWORKS'
8x16 --tree 16,4
64x8x4 --dragonfly 64x8x4
NETWORKS
# Ends with 1 where the machine is so busy that all points are refused.
LD_PRELOAD=$yield_preload "$ranksight" study --ranks 3,4,5 --forecast 8 \
  --launcher "$launcher -n {ranks}" -- "$apps/wavefront" >study.out 2>study.err
[ $? -le 1 ] || fail "study: $(cat study.err)"
python3 "$here/report.py" ranksight-study/report.html || fail "the report"
