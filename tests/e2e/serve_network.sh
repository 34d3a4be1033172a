#!/usr/bin/env bash
# A side-car that is told the network of its runs puts ranks on it, by order and by
# a map file, and forecasts there what `forecast` does with the same words.
. "$(dirname "$0")/lib.sh"
for ranks in 3 4 5; do
  must_record $ranks.trace $ranks "$apps/wavefront"
done
expect_exit 0 "$ranksight" runs import --store store {3,4,5}.trace
# Rank r on column 3 - r / 2 of the torus 4x2.
printf '%s\n' '# places' '3 0 0' '3 1 0' '2 0 0' '2 1 0' '1 0 0' '1 1 0' \
  '0 0 0' '0 1 0' >places.map
cat >ask.py <<'PY'
import json, sys, time, urllib.request
address, token = sys.argv[1].split("/#token=")
def ask(what):
    return json.load(urllib.request.urlopen(urllib.request.Request(
        address + "/api/" + what, headers={"Authorization": "Bearer " + token})))
job = next(r["job"] for r in ask("runs")["runs"] if r["ranks"] == 5)
load = ask("load?job=" + job)
where = [load["layout"], load["sides"], load.get("places")]
assert where == json.loads(sys.argv[2]), where
group = ask("state")["groups"][0]["id"]
while (forecast := ask("forecast?group=%s&ranks=6,8" % group))["walking"]:
    time.sleep(0.1)
keys = ("ranks", "seconds", "low", "high", "basis")
with open(sys.argv[3], encoding="utf-8") as said:
    wanted = [[p[k] for k in keys] for p in json.load(said)["points"]]
points = [[p[k] for k in keys] for p in forecast["points"]]
assert points == wanted, (points, wanted)
PY
on_network() {  # LOAD OPTIONS...: served, and asked
  local load=$1
  shift
  "$ranksight" forecast --store store --program wavefront --ranks 6,8 --json "$@" \
    >said.json 2>err.txt
  [ $? -le 1 ] || fail "forecast $*: $(cat err.txt)"
  start_page --listen "ipc://$folder/socket" --store store \
    --http 127.0.0.1:0 "$@"
  timeout 600 python3 ask.py "$(sed -n 's/.*page at //p' serve.err)" "$load" \
    said.json || fail "serve $*"
  kill "$server"
  wait "$server"
}
on_network '["network", [4, 2], [0, 1, 2, 3, 4]]' --torus 4x2
on_network '["network", [4, 2], [6, 7, 4, 5, 2]]' --torus 4x2 --map places.map
on_network '["network", [3, 2], [0, 1, 2, 3, 4]]' --tree 2,1
expect_exit 2 "$ranksight" serve --store store --map places.map
expect_exit 4 "$ranksight" serve --store store --torus 4x2 --map none.map
