#!/usr/bin/env bash
# A recorded run replayed in simulated time: the time of the program itself
# in the same simulation, the same calls, the same result each time.
. "$(dirname "$0")/lib.sh"
ranks=16
arguments=(--size 8x8 --steps 20 --work-ns 100000 --periodic)
must_record real.trace "$ranks" "$examples/stencil2d" "${arguments[@]}"

"$ranksight" simulate real.trace --torus 4x2x2 --json --no-compute \
  --record again.trace >first.json || fail "simulate"
identical real.trace again.trace
"$ranksight" simulate real.trace --torus 4x2x2 --json --no-compute \
  >second.json || fail "simulate again"
cmp first.json second.json || fail "two simulations differ"

# The program itself in simulation, recorded there, and its replay.
torus_platform
RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=app.trace smpirun -np "$ranks" \
  -platform torus.xml --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
  --log=root.thresh:critical "$build/bin/smpi/stencil2d.recorded" \
  "${arguments[@]}" >/dev/null || fail "smpirun"
"$ranksight" simulate app.trace --platform torus.xml --json >replay.json ||
  fail "simulate the simulated"
python3 - <<'PY' || fail "simulated time differs by more than 2 %"
import json, sys
r = json.load(open("replay.json"))
print(r, file=sys.stderr)
sys.exit(abs(r["ratio"] - 1) > 0.02)
PY

# What if: half of the computation at all sites, whose name the launcher's shell
# would split, is half of it; messages in place of a collective take other times.
simulated() {  # OUT TRACE OPTION...
  "$ranksight" simulate "$2" --torus 4x2x2 --json "${@:3}" >"$1" ||
    fail "simulate ${*:2}"
}
cp "$examples/stencil2d" "my stencil"
must_record named.trace "$ranks" "./my stencil" "${arguments[@]}"
simulated halved.json named.trace --compute-scale 0.5
simulated sites.json named.trace --site-scale "my stencil=0.5"
cmp halved.json sites.json || fail "all sites are not all computation"
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 \
  --site-scale nowhere=2
simulated whole.json real.trace
simulated half.json real.trace --compute-scale 0.5
simulated messages.json real.trace --exchange all=p2p
cmp -s whole.json messages.json && fail "messages in place of collectives"
# A table of cases says what each simulation alone does.
simulated cases.json real.trace --vary compute-scale=1,0.5 \
  --vary exchange=all=collective,all=p2p
python3 - <<'PY' || fail "cases differ from simulations of their own"
import json
cases = [(list(c["options"].values()), c["simulation"])
         for c in json.load(open("cases.json"))["cases"]]
one = lambda name: json.load(open(name + ".json"))
assert [c[0] for c in cases] == [
    ["1", "all=collective"], ["1", "all=p2p"],
    ["0.5", "all=collective"], ["0.5", "all=p2p"]]
assert cases[0][1] == one("whole") and cases[2][1] == one("half")
assert cases[1][1] == one("messages")
PY
expect_exit 0 "$ranksight" simulate real.trace --platform torus.xml \
  --vary torus=4x2x2,16
[ "$(wc -l <out.txt)" = 3 ] || fail "$(cat out.txt)"
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 --vary seed=1,2
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 \
  --vary compute-scale=1,-1
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 --record x.trace \
  --vary compute-scale=1,2

# What it takes is said beforehand. Our own walk of the ranks over the same links, which
# carry what `map` counts, takes about as long; it knows nothing of SimGrid's options.
expect_exit 0 "$ranksight" simulate app.trace --torus 4x2x2 --json
grep -q '^ranksight: simulating takes about .* to .*B of memory for 16 ranks' err.txt ||
  fail "$(cat err.txt)"
mv out.txt simgrid.json
expect_exit 0 "$ranksight" simulate app.trace --torus 4x2x2 --json --engine links
[ ! -s err.txt ] || fail "$(cat err.txt)"
mv out.txt links.json
"$ranksight" map app.trace --torus 4x2x2 --json >map.json || fail "map"
python3 - <<'PY' || fail "$(cat simgrid.json links.json)"
import json
theirs, ours, counted = (json.load(open(f + ".json"))
                         for f in ("simgrid", "links", "map"))
low, high = theirs["needs"]["memory_bytes_range"]
assert 1e6 < low < high and theirs["needs"]["events"] == ours["events"]
assert ours["engine"] == "links" and ours["actors"] == 16
assert abs(ours["replayed_seconds"] / theirs["replayed_seconds"] - 1) < 0.05
assert ours["links"]["max_link_bytes"] == counted["mappings"][0]["max_link_bytes"]
PY
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 --engine links \
  --cfg smpi/alltoall:pair

# Ten megabytes no MPI keeps: all ranks stand, and SimGrid ends with 0.
cp "$apps/unsafe" .
must_record unsafe.trace 3 ./unsafe 100
expect_exit 1 "$ranksight" simulate unsafe.trace --platform torus.xml \
  --bytes-scale 1e5
grep -q "waits for rank 1 to receive" err.txt || fail "$(cat err.txt)"
tail -1 err.txt | grep -qx "ranksight: the simulated replay did not end" ||
  fail "$(tail -1 err.txt)"

mkdir place
for output in place none/such.trace; do
  expect_exit 4 "$ranksight" simulate real.trace --torus 4x2x2 \
    --record "$output"
  grep -q "$output: " err.txt && [ ! -s out.txt ] || fail "$(cat err.txt)"
done

# Names with blanks, which smpirun would split.
cp torus.xml "my torus.xml"
cp real.trace "my real.trace"
cp real.trace ./-x.trace
expect_exit 0 "$ranksight" simulate "my real.trace" --platform "my torus.xml" \
  --record "my record.trace"
identical real.trace "my record.trace"
expect_exit 0 "$ranksight" simulate --torus 4x2x2 -- -x.trace
mkdir "my tmp"
TMPDIR="$PWD/my tmp" expect_exit 4 "$ranksight" simulate real.trace \
  --torus 4x2x2
grep -q "TMPDIR.*my tmp" err.txt || fail "$(cat err.txt)"

# Trouble of SimGrid's: one line, no document.
trouble() {  # WHAT OPTION...
  local what=$1
  shift
  expect_exit 4 "$ranksight" simulate real.trace --json "$@"
  grep -v '^ranksight: simulating takes' err.txt >told.txt
  [ "$(wc -l <told.txt)" = 1 ] && grep -q "^ranksight: .*$what" told.txt &&
    [ ! -s out.txt ] || fail "$what: $(cat out.txt err.txt)"
}
echo nowhere >nowhere
trouble "none.xml: No such file" --platform none.xml
trouble "Host not found: 'nowhere'" --platform torus.xml --hosts nowhere
trouble "Bad config key: bogus" --platform torus.xml --cfg bogus:1
trouble "status 134" --platform nowhere
trouble "none: No such file" --platform torus.xml --smpirun none
# One that was ended from outside has nothing to say.
printf '#!/bin/sh\nkill -TERM $PPID; exec sleep 60\n' >waits
chmod +x waits
expect_exit 143 "$ranksight" simulate real.trace --torus 4x2x2 --smpirun ./waits
grep -v '^ranksight: simulating takes' err.txt && fail "$(cat err.txt)"

# Networks by name: SimGrid's own fat tree and torus take as long.
torus_platform 16 "2;4,4;1,2;1,1"
sed 's/TORUS/FAT_TREE/; s/2GBps/12.5GBps/; s/50ns/100ns/; s/10GBps/62.5GBps/' \
  torus.xml >tree.xml
seq 0 15 | sed 's/^/n/' >hosts
again() {  # OUT OPTIONS...: messages long enough to share links
  expect_exit 0 "$ranksight" simulate real.trace --no-compute --json \
    --bytes-scale 10000 "${@:2}"
  mv out.txt "$1"
}
again theirs.json --platform tree.xml --hosts hosts
again ours.json --topology fat-tree:4x4:1x2
diff theirs.json ours.json || fail "SimGrid's fat tree is another one"
# Ranks from the one switch to the other and back.
awk 'BEGIN { for (r = 0; r < 16; ++r) print r % 4 * 4 + int(r / 4), 0 }' >map
again mapped.json --topology fat-tree:4x4:1x2 --map map
sed 's/ 0$//; s/^/n/' map >hosts
again theirs.json --platform tree.xml --hosts hosts
diff theirs.json mapped.json || fail "places on the fat tree"
cmp -s ours.json mapped.json && fail "places make no difference"
torus_platform 21 7,3
sed -i 's/2GBps/1.8GBps/; s/50ns/40ns/; s/10GBps/9GBps/' torus.xml
seq 0 15 | sed 's/^/n/' >hosts
again theirs.json --platform torus.xml --hosts hosts
again torus.json --torus 3x7
diff theirs.json torus.json || fail "SimGrid's torus is another one"
# Files that say the same, and a slower class, which is the same class.
printf 'SwitchName=s%d Nodes=n[%d-%d]\n' 0 0 3 1 4 7 2 8 11 3 12 15 >topology.conf
echo 'SwitchName=top Switches=s[0-3]' >>topology.conf
cat >graph.json <<'JSON'
{"nodes": "n[0-15]", "switches": "s[0-3],top[0-1]",
 "classes": {"leaf": {"bandwidth": 12.5e9}, "up": {"bandwidth": 1e9}},
 "links": [{"from": "n[0-3]", "to": "s0", "class": "leaf"},
         {"from": "n[4-7]", "to": "s1", "class": "leaf"},
         {"from": "n[8-11]", "to": "s2", "class": "leaf"},
         {"from": "n[12-15]", "to": "s3", "class": "leaf"},
         {"from": "s[0-3]", "to": "top[0-1]", "class": "up"}]}
JSON
again slurm.json --topology-conf topology.conf:1x2
again graph.out --topology graph.json --link-speed up=12.5e9
again tree.out --tree 4,2
for same in slurm.json graph.out tree.out; do
  diff ours.json "$same" || fail "$same is another network"
done
again graph.out --topology graph.json
again slower.json --topology fat-tree:4x4:1x2 --link-speed "level 1=1e9"
diff slower.json graph.out || fail "the same speeds, another time"
cmp -s ours.json slower.json && fail "speeds make no difference"
# Links as fast as a network by its name: 24 GB/s and 1.1 us over one switch.
again named.json --topology fat-tree:4x4:1x2 --network hdr-infiniband
again said.json --topology fat-tree:4x4:1x2 --link-speed nodes=24e9,0.55e-6 \
  --link-speed "level 1=24e9,1e-7"
diff named.json said.json || fail "--network is other speeds"
cmp -s ours.json named.json && fail "--network makes no difference"
expect_exit 2 "$ranksight" simulate real.trace --torus 16 --network bgq
grep -q 'not for tori' err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" simulate real.trace --tree 4,2 --network nowhere
expect_exit 0 "$ranksight" simulate real.trace --tree 4,2 --no-compute \
  --vary network=10g-ethernet,hdr-infiniband
[ "$(wc -l <out.txt)" = 3 ] || fail "$(cat out.txt)"
again minimal.json --topology dragonfly:4x2x2
again valiant.json --topology dragonfly:4x2x2 --routing valiant
cmp -s minimal.json valiant.json && fail "routes make no difference"
expect_exit 2 "$ranksight" simulate real.trace --topology fat-tree:4
expect_exit 2 "$ranksight" simulate real.trace --topology fat-tree:2x4:1x1 \
  --ranks-per-node 1
expect_exit 2 "$ranksight" simulate real.trace --topology fat-tree:4x4:1x1 \
  --torus 4x4
expect_exit 2 "$ranksight" simulate real.trace --topology fat-tree:4x4:1x1 \
  --routing valiant
expect_exit 2 "$ranksight" simulate real.trace --torus 4x2x2 --routing 4
expect_exit 2 "$ranksight" simulate real.trace
expect_exit 0 "$ranksight" simulate real.trace --torus 16m --routing 3+
expect_exit 2 "$ranksight" simulate real.trace --torus 16n
expect_exit 2 "$ranksight" simulate real.trace --torus 2x2 --ranks-per-node 3
