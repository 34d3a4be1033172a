#!/usr/bin/env bash
# soak.sh BUILD SECONDS [SIDES]: runs that stream to a side-car, one after the
# other from SIDES (3) sides at once, some of them in epochs, while the side-car
# is killed at random moments and started again, and one run in five is killed,
# too. In the end every run that ended must stand in the store exactly once,
# byte for byte as it was written, and nothing must be left in the spool.
# Prints the counts; exit 1 when it is not so.
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=$2
sides=${3:-3}
ranksight=$build/bin/ranksight
folder=$(mktemp -d)
tidy_up() {
  touch "$folder/stop"
  # shellcheck disable=SC2046
  kill -9 $(jobs -p) 2>/dev/null || true
  rm -rf "$folder"
}
trap tidy_up EXIT
cd "$folder"
mkdir spool ended
endpoint=ipc://$folder/socket
export UCX_HANDLE_ERRORS=none
export RANKSIGHT_SPOOL=$folder/spool LD_PRELOAD=$build/lib/libyield_preload.so

pause() { read -r -t "$1" <> <(:) || true; }

# The side-car, killed after 2 to 21 seconds each time.
start_server() {
  LD_PRELOAD='' "$ranksight" serve --listen "$endpoint" --store store \
    --spool spool --http 127.0.0.1:0 2>>server.log &
  server=$!
}
serve() {
  local kills=0
  while [ ! -e stop ]; do
    start_server
    for ((i = 0; i < 2 + RANDOM % 20; i++)); do
      [ -e stop ] && break
      pause 1
      # Somebody looks, so that forecasts are made and walked.
      LD_PRELOAD='' timeout 5 "$ranksight" monitor --store store --once \
        --jsonl >/dev/null 2>&1 || true
    done
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    echo $((++kills)) >kills
    pause "0.$((RANDOM % 10))"
  done
}

# A process and all that it started: ranks that lose their launcher may wait
# for each other for ever.
kill_all() {
  local child
  kill -STOP "$1" 2>/dev/null || true  # starts no more meanwhile
  for child in $(pgrep -P "$1"); do kill_all "$child"; done
  kill -9 "$1" 2>/dev/null || true
}

# Runs on 2 to 4 ranks. What ended leaves ended/JOB with its checksum.
run_all() {
  local side=$1 k=0 run options job
  while [ ! -e stop ]; do
    options=(-o "$side.$((++k)).trace" --to "$endpoint")
    [ $((RANDOM % 3)) = 0 ] && options+=(--epoch 0.05)
    "$ranksight" record "${options[@]}" -- mpiexec.mpich \
      -n $((2 + RANDOM % 3)) "$build/bin/stencil2d" --size 16x16 \
      --steps $((20 + RANDOM % 200)) --work-ns 1000000 >/dev/null 2>&1 &
    run=$!
    if [ $((RANDOM % 5)) = 0 ]; then
      pause "0.$((RANDOM % 10))"
      kill_all $run
      wait $run 2>/dev/null || true
      echo >>killed.$side
    elif wait $run; then
      job=$("$ranksight" show "$side.$k.trace" | sed -n 's/^job  *//p')
      sha256sum <"$side.$k.trace" >"ended/$job"
    else
      echo "run $side.$k failed" >>failures
    fi
    rm -f "$side.$k".trace*
    pause 0.5
  done
}

touch killed.0
serve &
loops=($!)
for ((side = 1; side <= sides; side++)); do
  run_all "$side" &
  loops+=($!)
done
pause "$seconds"
touch stop
wait "${loops[@]}"
# What the runs of the last moments left in the spool.
start_server
for ((i = 0; i < 120; i++)); do
  [ -z "$(ls spool)" ] && break
  pause 1
done
kill -TERM "$server"
wait "$server" || true

LD_PRELOAD='' "$ranksight" runs list --store store --json >runs.json
LD_PRELOAD='' python3 - <<'PY'
import collections, hashlib, json, os, sys
runs = json.load(open("runs.json"))["runs"]
times = collections.Counter(r["job"] for r in runs)
stored = {r["job"]: hashlib.sha256(open(r["path"], "rb").read()).hexdigest()
          for r in runs}
ended = {job: open("ended/" + job).read().split()[0]
         for job in os.listdir("ended")}
killed = sum(len(open(f).readlines()) for f in os.listdir(".")
             if f.startswith("killed."))
missing = [j for j in ended if times[j] == 0]
other = [j for j in ended if times[j] and stored[j] != ended[j]]
twice = [j for j, n in times.items() if n > 1]
failed = len(open("failures").readlines()) if os.path.exists("failures") else 0
left = os.listdir("spool")
kills = open("kills").read().strip() if os.path.exists("kills") else 0
print(f"{len(ended)} runs ended, {killed} were killed, the side-car was killed "
      f"{kills} times: {len(ended) - len(missing) - len(other)} stored once as "
      f"written, {len(missing)} missing, {len(other)} different, {len(twice)} "
      f"stored twice, {len(left)} left in the spool, {failed} failed; "
      f"{len(runs) - len(ended) + len(missing)} of those killed had ended "
      "before")
sys.exit(1 if missing or other or twice or left or failed else 0)
PY
