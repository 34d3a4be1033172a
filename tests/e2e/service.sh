#!/usr/bin/env bash
# A side-car as a service: who sent a run is kept with it, its log is JSON
# without the token, quotas are by user, the dashboard asks for metrics that
# there are, and a copy of the files is a backup.
# service.sh REPOSITORY
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir spool
cat >serve.toml <<END
listen = "ipc://$folder/socket"
store = "store"
http = "127.0.0.1:0"
spool = "spool"
keep = ["365", "program=other:7"]
quota-user = "1M"
log = "json"
END
me=$(id -un)
senders() {  # STORE
  "$ranksight" runs --store "$1" --json |
    python3 -c 'import json, sys
for run in json.load(sys.stdin)["runs"]: print(run["user"], run["key"] == "")'
}
stored() { [ "$(senders store | wc -l)" = "$1" ]; }

start_service
"$ranksight" record -o run.trace --to "ipc://$folder/socket" -- "$launcher" -n 2 \
  "$examples/stencil2d" --size 4x4 --steps 5 >/dev/null || fail "the run"
wait_for stored 1 || fail "$(cat serve.err)"
must_record other.trace 4 "$examples/stencil2d" --size 4x4 --steps 5
must_record more.trace 4 "$examples/stencil2d" --size 4x4 --steps 6
# As by a user who is not there any more.
[ "$(id -u)" = 0 ] && chown 3999999999 other.trace
owner=$(stat -c %U other.trace)
[ "$owner" = UNKNOWN ] && owner=3999999999
mv other.trace spool
wait_for stored 2 || fail "$(cat serve.err)"
expect_exit 0 "$ranksight" runs import --store store more.trace
printf '%s True\n' "$me" "$owner" "$me" >expected.txt
senders store >senders.txt
diff expected.txt senders.txt >&2 || fail "who sent them"
"$ranksight" runs --store store | grep -q " from .*job" || fail "no column"

python3 - "$me" <<'END' || fail "the log: $(cat serve.err)"
import json, re, sys
lines = [json.loads(line) for line in open("serve.err")]
stored = [line for line in lines if line["event"] == "stored"]
assert len(stored) == 2 and stored[0]["user"] == sys.argv[1], stored
assert stored[0]["program"] == "stencil2d" and stored[0]["ranks"] == 2
for line in lines:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    assert line["level"] in ("info", "warning", "error")
END
token=$(sed -n 2p store/http)
[ ${#token} -ge 32 ] || fail "no token"
grep -q "$token" serve.err && fail "the log has the token"

cat >metrics.py <<'END'
import json, re, sys, urllib.request
address, token = open("store/http").read().split()
request = urllib.request.Request(address + "/metrics")
request.add_header("Authorization", "Bearer " + token)
text = urllib.request.urlopen(request).read().decode()
there = set(re.findall(r"^# TYPE (\w+)", text, re.M))
panels = json.load(open(sys.argv[1]))["panels"]
asked = set(re.findall(r"ranksight_\w+", " ".join(
    target["expr"] for panel in panels for target in panel["targets"])))
assert len(asked) > 10 and asked <= there, asked - there
value = {m[1]: float(m[2]) for m in re.finditer(r"^(\w+) (\S+)$", text, re.M)}
assert value["ranksight_store_runs"] == 3, value
assert value["ranksight_store_bytes"] == sum(
    run["bytes"] for run in json.load(open("runs.json"))["runs"])
assert value["ranksight_user_quota_bytes"] == 1e6 or \
    value["ranksight_user_quota_bytes"] == 2**20
assert value["ranksight_last_stored_timestamp_seconds"] > 1.7e9
assert re.search(r'^ranksight_build_info\{version="\d', text, re.M)
END
"$ranksight" runs --store store --json >runs.json
python3 metrics.py "$1/cli/service/grafana.json" || fail "the metrics"

# While it runs.
mkdir backup
cp -r store/runs store/tokens backup/
[ ! -d store/names ] || cp -r store/names backup/
end_service
start_service --store backup
[ "$(sed -n 2p backup/http)" = "$token" ] || fail "another token"
end_service
[ "$(senders backup | wc -l)" = 3 ] || fail "$("$ranksight" runs --store backup)"

# A user's own rule takes that user's run alone.
if [ "$owner" != "$me" ]; then
  start_service --keep "user=$owner:1e-9"
  grep -q '"removed a run, which was older than it is kept"' serve.err ||
    fail "$(cat serve.err)"
  end_service
  printf '%s True\n' "$me" "$me" >expected.txt
  senders store | diff expected.txt - >&2 || fail "another run was removed"
fi

# Beyond a quota nothing of that user comes in, and the reason is told.
start_service --quota-user 10
"$ranksight" record -o run.trace --to "ipc://$folder/socket" -- "$launcher" -n 2 \
  "$examples/stencil2d" --size 4x4 --steps 7 >/dev/null 2>record.err ||
  fail "the run"
grep -q "keeps for $me is full" record.err || fail "$(cat record.err)"
grep '"level":"warning"' serve.err | grep -q "\"user\":\"$me\"" ||
  fail "$(cat serve.err)"
end_service
# The unit's list of address families is enough: what it forbids is refused.
cat >restricted.toml <<END
listen = "tcp://127.0.0.1:*"
store = "restricted"
http = "127.0.0.1:0"
END
code=0
python3 "$here/address_families.py" "$1/cli/service/ranksight.service.in" \
  "$ranksight" serve --config restricted.toml 2>restricted.err &
server=$!
background+=("$server")
started() { grep -q 'page at' restricted.err || ! kill -0 $server 2>/dev/null; }
wait_for started
if grep -q 'page at' restricted.err; then
  end_service
else
  wait "$server" || code=$?
  [ "$code" = 77 ] || fail "under the unit: $code $(cat restricted.err)"
fi

for rule in 0 x program=:3 job=a:3; do
  expect_exit 2 "$ranksight" serve --config serve.toml --keep "$rule"
done
