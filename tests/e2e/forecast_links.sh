#!/usr/bin/env bash
# Forecasts on a network that is named: runs in simulated time on a torus and on
# a fat tree whose switches have one link upwards, and a larger run of each held
# against the forecast; the ways to say where ranks are say the same.
. "$(dirname "$0")/lib.sh"
torus_platform 64 4,4,4
sed 's/TORUS/FAT_TREE/; s/"4,4,4"/"2;16,4;1,1;1,1"/' torus.xml >tree.xml
seq 0 63 | sed 's/^/n/' >hosts.txt
simulate() {  # PLATFORM RANKS: PLATFORM.RANKS.trace, ranks on the first nodes
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$1.$2.trace smpirun -np "$2" \
    -platform "$1.xml" -hostfile hosts.txt --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
    "$build/bin/smpi/stencil2d.recorded" --size 400x400 --steps 4 \
    --work-ns 50000 >out.txt 2>&1 ||
    { cat out.txt >&2; fail "simulation of $1 at $2"; }
}
for platform in torus tree; do
  for ranks in 4 8 16 32 64; do simulate $platform $ranks; done
  mv $platform.64.trace $platform.truth
done

forecast() {  # OUT PLATFORM OPTIONS...
  "$ranksight" forecast "$2".*.trace --ranks 64 --json "${@:3}" >"$1" ||
    { cat "$1" >&2; fail "forecast ${*:2}"; }
}
met() {  # OUT PLATFORM: walked on links, and within 15 %
  "$ranksight" show "$2.truth" --json >truth.json || fail "show $2.truth"
  python3 - "$1" <<'PY' || fail "the forecast of $2 is far off"
import json, sys
point = json.load(open(sys.argv[1]))["points"][0]
truth = json.load(open("truth.json"))["elapsed_ns"]["max"] / 1e9
print(point, truth, file=sys.stderr)
sys.exit(point["refused"] or abs(point["seconds"] / truth - 1) > 0.15 or
         "the machine's links" not in point["basis"])
PY
}
# The first dimension is the one in which SimGrid counts nodes first.
forecast order.json torus --torus 4x4x4 --order ZYXT
met order.json torus
forecast tree.json tree --tree 16,1
met tree.json tree
# Each says on which links; without them nothing is said.
has_network() {  # OUT NETWORK LINKS
  python3 - "$@" <<'PY' || fail "$1: not on $2"
import json, sys
forecast = json.load(open(sys.argv[1]))
sys.exit([str(forecast[member]) for member in ("network", "links")] !=
         sys.argv[2:])
PY
}
has_network order.json torus:4x4x4 torus:4x4x4
has_network tree.json fat-tree:16x4:1x1 fat-tree:16x4:1x1
forecast plain.json torus
has_network plain.json None None
"$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x4 >out.txt ||
  fail "$(cat out.txt)"
grep -qx 'messages walked over the links of torus:4x4x4' out.txt ||
  fail "$(cat out.txt)"
# The same network by its whole name, and with places. A file's is the file's.
same_as_tree() {  # OUT
  cmp <(sed '/"links": \|"network": /d' tree.json) \
    <(sed '/"links": \|"network": /d' "$1")
}
forecast topology.json tree --topology fat-tree:16x4:1x1
same_as_tree topology.json || fail "--tree and --topology differ"
{
  echo 'SwitchName=top Switches=s[0-3]'
  printf 'SwitchName=s%d Nodes=n[%d-%d]\n' 0 0 15 1 16 31 2 32 47 3 48 63
} >topology.conf
forecast topology.json tree --topology topology.conf:1x1
same_as_tree topology.json || fail "topology.conf and --tree differ"
forecast slower.json tree --tree 16,1 --link-speed "level 1=12e9"
cmp -s tree.json slower.json && fail "speeds make no difference"
seq 0 63 | sed 's/$/ 0/' >nodes.map
forecast topology.json tree --topology fat-tree:16x4:1x1 --map nodes.map
same_as_tree topology.json || fail "--map of the nodes differs"
forecast fly.json tree --topology dragonfly:8x4x2
forecast valiant.json tree --topology dragonfly:8x4x2 --routing valiant
cmp -s fly.json valiant.json && fail "routes make no difference"

awk 'BEGIN { for (r = 0; r < 64; ++r) {
  print r % 4, int(r / 4) % 4, int(r / 16), 0 } }' >order.map
forecast map.json torus --torus 4x4x4 --map order.map
cmp order.json map.json || fail "--order and --map differ"
forecast packed.json torus --torus 4x4x4 --ranks-per-node 4
awk 'BEGIN { for (r = 0; r < 64; ++r) {
  n = int(r / 4); print int(n / 16), int(n / 4) % 4, n % 4, r % 4 } }' >packed.map
forecast packed_map.json torus --torus 4x4x4 --map packed.map
cmp packed.json packed_map.json || fail "--ranks-per-node and --map differ"
cmp -s order.json packed.json && fail "where ranks are makes no difference"
# All ranks under one switch, as many to a node as make it so.
forecast one.json tree --tree 16,1 --ranks-per-node 8
cmp -s tree.json one.json && fail "--ranks-per-node says nothing of a tree"

few=$("$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x2 \
  --ranks-per-node 1)
echo "$few" | grep -q "no places for 64 ranks" ||
  fail "places for too few ranks: $few"
# What is too far to be forecast needs no places.
"$ranksight" forecast tree.*.trace --ranks 64,1099511627776 --tree 16,1 >far.txt ||
  fail "a far rank count among others"
grep -q '1099511627776  refused: more than 64 times' far.txt ||
  fail "$(cat far.txt)"
expect_exit 2 "$ranksight" forecast tree.*.trace --ranks 64 \
  --tree 16,1099511627776
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --torus 2147483647
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --order ZYXT
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --tree 16
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --tree 16,1 \
  --torus 4x4x4
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x4 \
  --order ZZZZ
for wrong in '--topology fat-tree:4' '--topology dragonfly:4x4x4 --routing 2' \
  '--topology fat-tree:16x4:1x1 --tree 16,1' '--torus 4x4x4 --routing valiant' \
  '--topology fat-tree:16x4:1x1 --laws-only' '--routing valiant' \
  '--map nodes.map'; do
  # shellcheck disable=SC2086
  expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 $wrong
done
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x4 \
  --laws-only
expect_exit 4 "$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x4 \
  --map none.map
echo "0 0 9 0" >wrong.map
expect_exit 3 "$ranksight" forecast torus.*.trace --ranks 64 --torus 4x4x4 \
  --map wrong.map

# What messages take, measured on the machine between its first two nodes.
for platform in torus tree; do
  smpirun -np 2 -platform $platform.xml -hostfile hosts.txt --cfg=smpi/wtime:0 \
    --cfg=smpi/simulate-computation:no --log=root.thresh:critical \
    "$build/bin/ranksight-measure-smpi" --messages >$platform.json ||
    fail "measuring messages on $platform"
done
# SMPI goes over to other times at 1,426 bytes; lengths beside it are measured.
python3 - <<'PY' || fail "the change of protocol is not found"
import json
times = {m["bytes"]: m["seconds"] for m in
         json.load(open("torus.json"))["messages"]}
below, above = max(b for b in times if b < 1426), min(b for b in times if b >= 1426)
assert above < 1.06 * below and times[above] < 0.8 * times[below], (below, above)
PY
forecast measured.json torus --torus 4x4x4 --order ZYXT --messages torus.json
met measured.json torus
grep -q "messages as measured" measured.json || fail "measured, and not said"
forecast measured.json tree --tree 16,1 --messages tree.json
met measured.json tree
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --laws-only \
  --messages torus.json
expect_exit 2 "$ranksight" forecast torus.*.trace --ranks 64 --models classic \
  --messages torus.json
expect_exit 4 "$ranksight" forecast torus.*.trace --ranks 64 --messages none.json
echo '{"kernels": {}, "messages": [], "ranks": 0}' >wrong.json
expect_exit 3 "$ranksight" forecast torus.*.trace --ranks 64 --messages wrong.json
