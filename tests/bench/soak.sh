#!/usr/bin/env bash
# soak.sh BUILD SECONDS: runs that stream to a side-car, one after the other
# from three sides at once, while the side-car is killed at random moments and
# started again, and some of the runs are killed, too. In the end every run
# that ended must stand in the store exactly once, with all its events, and
# no killed run more than once. Prints the counts; exit 1 when it is not so.
set -euo pipefail
build=$(cd "$1" && pwd) seconds=$2
ranksight=$build/bin/ranksight
folder=$(mktemp -d)
trap 'touch "$folder/stop"; kill -9 $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
mkdir spool ended killed
endpoint=ipc://$folder/socket
export RANKSIGHT_SPOOL=$folder/spool LD_PRELOAD=$build/lib/libyield_preload.so

pause() { read -r -t "$1" <> <(:) || true; }
serve() {
  local kills=0 server
  while [ ! -e stop ]; do
    LD_PRELOAD='' "$ranksight" serve --listen "$endpoint" --store store \
      --spool spool 2>>server.log &
    server=$!
    for ((i = 0; i < 2 + RANDOM % 20; i++)); do
      [ -e stop ] && break
      pause 1
    done
    [ -e stop ] && break
    kill -9 $server
    wait $server 2>/dev/null || true
    echo $((++kills)) >kills
    pause "0.$((RANDOM % 10))"
  done
  kill -TERM $server
  wait $server || true
}
run_all() {  # SIDE
  local k=0 name run
  while [ ! -e stop ]; do
    name=$1-$((++k))
    "$ranksight" record -o "$name.trace" --to "$endpoint" --param run="$name" \
      -- mpiexec.mpich -n 2 "$build/bin/examples/stencil2d" --size 16x16 \
      --steps $((20 + RANDOM % 200)) --work-ns 1000000 >/dev/null 2>&1 &
    run=$!
    if [ $((RANDOM % 5)) = 0 ]; then
      pause "0.$((RANDOM % 10))"
      pkill -9 -P "$(pgrep -P $run | head -1)" 2>/dev/null || true
      kill -9 $run 2>/dev/null || true
      wait $run 2>/dev/null || true
      touch "killed/$name"
    elif wait $run; then
      touch "ended/$name"
    fi
    rm -f "$name".trace*
  done
}
serve &
server_loop=$!
for side in a b c; do
  run_all $side &
  sides+=($!)
done
pause "$seconds"
touch stop.runs
touch stop
wait "${sides[@]}" $server_loop
# What is still in the spool.
LD_PRELOAD='' "$ranksight" serve --listen "$endpoint" --store store \
  --spool spool 2>>server.log &
server=$!
for ((i = 0; i < 60; i++)); do
  [ -z "$(ls spool)" ] && break
  pause 1
done
kill -TERM $server
wait $server || true

LD_PRELOAD='' "$ranksight" runs list --store store --json >runs.json
python3 - <<'PY'
import collections, json, os, re, sys
runs = json.load(open("runs.json"))["runs"]
times = collections.Counter(
    re.search(r"run=(\S+)", r["params"]).group(1) for r in runs if r["complete"])
ended, killed = set(os.listdir("ended")), set(os.listdir("killed"))
missing = sorted(n for n in ended if times[n] == 0)
twice = sorted(n for n, k in times.items() if k > 1)
kills = open("kills").read().strip() if os.path.exists("kills") else 0
print(f"{len(ended)} runs ended, {len(killed)} were killed, the side-car was "
      f"killed {kills} times: {len(ended) - len(missing)} stored once, "
      f"{len(missing)} missing, {len(twice)} stored twice, "
      f"{sum(times[n] for n in killed)} of the killed had ended before")
sys.exit(1 if missing or twice else 0)
PY
