#!/usr/bin/env bash
# Link loads and mappings of a recorded run: the default as formulas say, the
# best one perfect, map files that come back, pictures, refusals.
. "$(dirname "$0")/lib.sh"
# Each rank sends 8 rows of 8 bytes each way and step on a periodic 4 x 4
# grid of ranks.
must_record s.trace 16 "$examples/stencil2d" --size 8x8 --steps 10 --periodic

"$ranksight" map s.trace --torus 2x2x2x2 --json -o best.map --png loads.png \
  >map.json || fail "map"
python3 - <<'PY' || fail "loads"
import json, struct
m = json.load(open("map.json"))
of_calls = [{s["call"]: s for s in mapping["sites"]} for mapping in m["mappings"]]
default, best = (calls["MPI_Isend"] for calls in of_calls)
# A square of rings of four on a four-dimensional cube: one hop a message,
# both ways round a ring of two sharing the load.
sent = 16 * 4 * 10 * 64
assert default["sent_bytes"] == best["sent_bytes"] == sent
assert best["hop_bytes"] == sent, best
assert best["max_link_bytes"] == sent / (16 * 4 * 2), best
# In row-major order, last dimension fastest, a step from 1 to 2 or 3 to 0
# changes both bits of its row or column.
assert default["hop_bytes"] == sent * 1.5, default
assert default["max_link_bytes"] == 2 * best["max_link_bytes"]
# Recursive doubling over 16 ranks is one hop on this cube, every link alike:
# each step 8 bytes each way in each dimension, where a ring of two has two links.
sums = of_calls[0]["MPI_Allreduce"]
assert sums["sent_bytes"] == sums["hop_bytes"] == 16 * 4 * 10 * 8, sums
assert sums["max_link_bytes"] == 10 * 8 / 2, sums
assert of_calls[0]["MPI_Reduce"]["sent_bytes"] == 15 * 8
assert m["mappings"][0]["sent_bytes"] == sum(
    s["sent_bytes"] for s in m["mappings"][0]["sites"])
# Phases are parts of the run: broadcasts before the steps, these, a reduction.
phases = m["mappings"][0]["phases"]
assert len(phases) == 4, phases
for phase in phases:
    sites = [s for s in m["mappings"][0]["sites"] if s["phase"] == phase["phase"]]
    for amount in "sent_bytes", "hop_bytes":
        assert phase[amount] == sum(s[amount] for s in sites), (phase, sites)
    loads = [s["max_link_bytes"] for s in sites]
    assert max(loads) <= phase["max_link_bytes"] <= sum(loads), (phase, sites)
assert phases[3]["sent_bytes"] == 15 * 8, phases
png = open("loads.png", "rb").read()
assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR"
assert all(s > 500 for s in struct.unpack(">II", png[16:24]))
PY
[ "$(grep -vc '^#' best.map)" = 16 ] || fail "lines of the map file"

"$ranksight" map s.trace --torus 2x2x2x2 --map best.map --json >again.json ||
  fail "map with the map file"
python3 - <<'PY' || fail "the map file is another mapping"
import json
given = json.load(open("again.json"))["mappings"][1]
best = json.load(open("map.json"))["mappings"][1]
assert given["directions"] == best["directions"]
PY

# All on one node, which the header, of the others, does not say.
for slot in {0..15}; do echo "0 0 $slot"; done >one.map
expect_exit 0 "$ranksight" map s.trace --torus 4x4 --map one.map
grep -q ', 1 a node' out.txt && grep -q 'one.map, up to 16 a node' out.txt ||
  fail "ranks a node of the map file"

expect_exit 2 "$ranksight" map s.trace --torus 4x
expect_exit 2 "$ranksight" map s.trace --torus 4x4 --routing 4
expect_exit 2 "$ranksight" map s.trace --torus 2x2 --ranks-per-node 3
expect_exit 4 "$ranksight" map s.trace --torus 4x4 --map absent.map
printf '0 0 0\n0 9 0\n' >bad.map
expect_exit 3 "$ranksight" map s.trace --torus 4x4 --map bad.map
grep -q 'bad.map:2: coordinate Y=9 outside 4x4' err.txt || fail "file:line"

# Nothing is printed, searched or written where a file cannot be.
# Without a font letters are dots, and nobody complains.
expect_exit 0 env FONTCONFIG_FILE="$PWD/none" "$ranksight" matrix s.trace -o dots.png
[ -s dots.png ] && ! grep -qi fontconfig err.txt || fail "$(cat err.txt)"
for files in "-o absent/m" "-o new.map --png absent/m.png"; do
  # shellcheck disable=SC2086
  expect_exit 4 "$ranksight" map s.trace --torus 4x4 --json $files
  [ ! -s out.txt ] || fail "printed though $files cannot be written"
done
[ ! -e new.map ] || fail "a map file though the picture cannot be written"
printf 'a\nb\n' >hosts
expect_exit 4 "$ranksight" map s.trace --hosts hosts --json -o absent/m
[ ! -s out.txt ] || fail "printed though the order cannot be written"

# A machine too large for a picture.
expect_exit 2 "$ranksight" map s.trace --torus 2000000 --png large.png
grep -q 'more than 100000000' err.txt || fail "$(cat err.txt)"

# Of a program's many call sites and phases those that send most, as --json
# has them.
must_record many.trace 4 "$apps/all_calls"
printf 'a:2\nb:2\n' >hosts
for where in '--torus 2x2' '--hosts hosts' '--topology fat-tree:2x2:1x1' \
  '--topology dragonfly:3x2x1 --routing valiant'; do
  # shellcheck disable=SC2086
  "$ranksight" map many.trace $where >many.txt || fail "map $where"
  # shellcheck disable=SC2086
  "$ranksight" map many.trace $where --json >many.json || fail "map $where"
  python3 - <<'PY' || fail "lines of $where"
import json, re
report = json.load(open("many.json"))
first = report.get("mappings", report.get("placements"))[0]
text = open("many.txt").read()
for name in "sites", "phases":
    if name not in first:
        continue
    sent = sorted(part["sent_bytes"] for part in first[name])
    share = 100 * sum(sent[:-16]) / sum(sent)
    line = f"and {len(sent) - 16} more with {share:.1f} % of the bytes"
    assert line in text, (line, re.findall("and .* more.*", text))
PY
done

# What nodes send one another goes up from nodes, a link each.
"$ranksight" map many.trace --topology dragonfly:2x2x1 -o nodes.txt \
  --json >many.json || fail "map --topology"
python3 - <<'PY' || fail "links of nodes"
import json
first = json.load(open("many.json"))["mappings"][0]
nodes = first["links"][0]
assert nodes["kind"] == "nodes, up", nodes
between = first["sent_bytes"] - first["local_bytes"]
assert between > 0 and nodes["mean_bytes"] * 4 == between, (nodes, between)
PY
grep -v '^#' nodes.txt | sort | diff - <(printf '%d 0\n' 0 1 2 3) ||
  fail "not a node each"
# What was written is what is looked at.
"$ranksight" map many.trace --topology dragonfly:2x2x1 --map nodes.txt \
  --json >again.json || fail "map with the places"
python3 - <<'PY' || fail "the places are another mapping"
import json
best = json.load(open("many.json"))["mappings"][1]
given = json.load(open("again.json"))["mappings"][1]
assert given["links"] == best["links"], (given, best)
PY
echo "4 0" >nodes.txt
expect_exit 3 "$ranksight" map many.trace --topology dragonfly:2x2x1 \
  --map nodes.txt
grep -q 'nodes.txt:1: node 4 outside 0 to 3' err.txt || fail "$(cat err.txt)"
refused() {  # REASON ARGS...
  expect_exit 2 "$ranksight" map many.trace "${@:2}"
  grep -q -- "$1" err.txt || fail "$(cat err.txt)"
}
refused 'is neither fat-tree' --topology 4x4
refused "'valiant' is not for fat-tree" --topology fat-tree:2x2:1x1 \
  --routing valiant
# Nodes of files have names, for launchers.
printf 'SwitchName=t Switches=a,b\nSwitchName=a Nodes=x[0-1]\nSwitchName=b Nodes=y[0-1]\n' \
  >named.conf
for form in '' list hydra; do
  # shellcheck disable=SC2086
  expect_exit 0 "$ranksight" map many.trace --topology named.conf \
    -o order.$form ${form:+--to $form}
done
grep -v '^#' order. | sed 's/^0 0$/x0/; s/^1 0$/x1/; s/^2 0$/y0/; s/^3 0$/y1/' |
  diff - order.list || fail "names of places"
sed 's/$/:1/' order.list | diff - order.hydra || fail "names for Hydra"
refused 'have no names' --topology fat-tree:2x2:1x1 --to list
refused 'have no names' --torus 2x2 --to list
refused 'nor a file' --topology none.conf
refused "'spine' is none of 'nodes', 'level 1'" --topology fat-tree:2x2:1x1 \
  --link-speed spine=1e9
refused '--link-speed: not for tori' --torus 2x2 --link-speed nodes=1e9
printf 'SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[\n' >topology.conf
expect_exit 3 "$ranksight" map many.trace --topology topology.conf
grep -q 'topology.conf:2: Nodes= 3: a number expected' err.txt ||
  fail "$(cat err.txt)"
refused 'excludes --' --topology fat-tree:2x2:1x1 --torus 2x2
refused '--routing: not with' --hosts hosts --routing 2
refused '--order: not with' --hosts hosts --order XYZT
refused '--png: not with' --hosts hosts --png x.png
refused 'do not fit' --topology fat-tree:2:1 --ranks-per-node 1
