#!/usr/bin/env bash
# Where ranks sit on the hosts of a cluster and what they send one another, from
# hostfiles and from Slurm's words: as sums over the pairs of `matrix` say, a
# better order that launchers take, refusals with file and place.
. "$(dirname "$0")/lib.sh"
# 8 rows of 8 bytes each way and step on a periodic 4 x 4 grid of ranks.
must_record s.trace 16 "$examples/stencil2d" --size 8x8 --steps 10 --periodic
"$ranksight" matrix s.trace --json >matrix.json || fail "matrix"

cat >check.py <<'PY'
import json, sys
name, expected = sys.argv[1:]
found = json.load(open(name))
pairs = json.load(open("matrix.json"))["pairs"]
for placed in found["placements"]:
    hosts = [placed["hosts"][h]["name"] for h in placed["host_of_rank"]]
    sites = [s for s in placed["sites"] if s["call"] == "MPI_Isend"]
    assert sum(s["sent_bytes"] for s in sites) == sum(p["bytes"] for p in pairs)
    assert sum(s["between_hosts_bytes"] for s in sites) == sum(
        p["bytes"] for p in pairs if hosts[p["from"]] != hosts[p["to"]])
    out, back = ([0] * len(placed["hosts"]) for _ in range(2))
    for a, row in enumerate(placed["pairs_bytes"]):
        for b, n in enumerate(row):
            if a != b:
                out[a] += n
                back[b] += n
    for i, host in enumerate(placed["hosts"]):
        assert (host["sent_bytes"], host["received_bytes"]) == (out[i], back[i])
        assert host["within_bytes"] == placed["pairs_bytes"][i][i]
    assert placed["busiest_host_bytes"] == max(out + back)
    if placed["name"] == "given":
        assert "".join(hosts) == expected, hosts
PY
given() {  # EXPECTED OPTIONS...
  "$ranksight" map s.trace --json "${@:2}" >map.json || fail "map ${*:2}"
  python3 check.py map.json "$1" || fail "map ${*:2}"
}
printf '%s\n' a:4 b:4 'c:4 # the third' d:4 >hydra
printf '%s\n' 'a slots=2' 'b slots=6' 'c slots=8 max_slots=9' >openmpi
printf '%s\n' a b a >plain
given aaaabbbbccccdddd --hosts hydra
given aabbbbbbcccccccc --hosts openmpi
given abaabaabaabaabaa --hosts plain
given aaaaaaaabbbbbbbb --hosts plain --ranks-per-node 8
given abcdabcdabcdabcd --hosts hydra --distribution cyclic
given aabbccddaabbccdd --hosts hydra --distribution plane=2
(
  export SLURM_JOB_NODELIST='n[08-10]' 'SLURM_TASKS_PER_NODE=6(x2),4'
  given n08n08n08n08n08n08n09n09n09n09n09n09n10n10n10n10 --hosts slurm
  SLURM_DISTRIBUTION=cyclic,Pack given \
    n08n09n10n08n09n10n08n09n10n08n09n10n08n09n08n09 --hosts slurm
  SLURM_DISTRIBUTION=plane SLURM_DIST_PLANESIZE=5 given \
    n08n08n08n08n08n09n09n09n09n09n10n10n10n10n08n09 --hosts slurm
  printf 'n08,n10*2\n%s' "$(printf 'n09\n%.0s' {1..13})" >each
  for distribution in '' block arbitrary; do
    SLURM_DISTRIBUTION=$distribution SLURM_HOSTFILE=each given \
      n08n10n10n09n09n09n09n09n09n09n09n09n09n09n09n09 --hosts slurm
  done
  SLURM_HOSTFILE=each given \
    n08n09n10n08n09n10n08n09n10n08n09n10n08n09n08n09 \
    --hosts slurm --distribution cyclic
  SLURM_DISTRIBUTION=arbitrary given \
    n08n08n08n08n08n08n09n09n09n09n09n09n10n10n10n10 --hosts slurm
  SLURM_HOSTFILE=plain expect_exit 3 "$ranksight" map s.trace --hosts slurm
  grep -q 'plain: hosts of 3 ranks, 16 needed' err.txt || fail "$(cat err.txt)"
  SLURM_TASKS_PER_NODE=6,4 expect_exit 3 "$ranksight" map s.trace --hosts slurm
  grep -q 'SLURM_TASKS_PER_NODE: tasks of 2 nodes, SLURM_JOB_NODELIST has 3' \
    err.txt || fail "$(cat err.txt)"
  SLURM_JOB_NODELIST='n[08-' expect_exit 3 "$ranksight" map s.trace --hosts slurm
  grep -q 'SLURM_JOB_NODELIST:6: a number expected' err.txt ||
    fail "$(cat err.txt)"
) || exit 1

# Two hosts of 8: dealt out, each rank has its neighbours left and right on the
# other host; two rows together have one of each rank's four there, and as many
# in the other one of two packages, where the form of the file names cores.
printf '%s\n' a:8 b:8 >two
for form in rankfile list; do
  "$ranksight" map s.trace --hosts two --distribution cyclic:block --node 2x4 \
    --to $form --json -o order.txt >$form.json || fail "map with packages"
done
mv list.json map.json
python3 - <<'PY' || fail "the best order"
import json
way = 10 * 64
for name in "rankfile.json", "map.json":
    given, best = json.load(open(name))["placements"]
    for placed, of_host in (given, 16), (best, 8):
        (sends,) = (s for s in placed["sites"] if s["call"] == "MPI_Isend")
        assert sends["busiest_host_bytes"] == of_host * way, sends
        assert sends["between_hosts_bytes"] == 2 * of_host * way, sends
        if placed is best and name == "rankfile.json":
            assert sends["between_packages_bytes"] == 2 * 8 * way, sends
names = [given["hosts"][h]["name"] for h in best["host_of_rank"]]
assert names == open("order.txt").read().split()
assert sorted(names) == 8 * ["a"] + 8 * ["b"]
PY
"$ranksight" map s.trace --hosts two --map order.txt --json >again.json ||
  fail "map with the order"
python3 - <<'PY' || fail "the order is another one"
import json
best = json.load(open("map.json"))["placements"][1]
other = json.load(open("again.json"))["placements"][1]
assert other["hosts"] == best["hosts"] and other["name"] == "other"
PY

# What is claimed of packages is what the file, read again, has: lists and
# Hydra's files say hosts alone.
for form in list hydra; do
  again=(map s.trace --hosts two --node 2x4 --distribution cyclic
    --to "$form")
  "$ranksight" "${again[@]}" --json -o again >claimed.json ||
    fail "map --to $form"
  "$ranksight" "${again[@]}" --json --map again >again.json ||
    fail "map of its $form"
  python3 - <<'PY' || fail "packages of $form"
import json
best = json.load(open("claimed.json"))["placements"][1]
other = json.load(open("again.json"))["placements"][1]
for key in "between_packages_bytes", "busiest_host_bytes":
    assert best[key] == other[key], (key, best[key], other[key])
PY
done
# A rankfile names cores that there are, those that srun would have taken.
expect_exit 2 "$ranksight" map s.trace --hosts two --node 2x2 --to rankfile
grep -q 'more ranks than the 4 cores of host a' err.txt || fail "$(cat err.txt)"
printf '%s\n' a:12 b:4 >uneven
printf '%s\n' a:12 b:8 >larger
expect_exit 2 "$ranksight" map s.trace --hosts larger --distribution cyclic \
  --node 2x4 --to rankfile --map uneven
grep -q 'more ranks than the 8 cores of host a' err.txt || fail "$(cat err.txt)"
for distribution in cyclic:cyclic cyclic:block; do
  "$ranksight" map s.trace --hosts two --node 2x4 --to rankfile --json \
    --distribution $distribution >rankfile.json || fail "map --to rankfile"
  "$ranksight" map s.trace --hosts two --node 2x4 --json \
    --distribution $distribution >list.json || fail "map --to list"
  python3 - <<'PY' || fail "given packages change with the form"
import json
rankfile, listed = (json.load(open(f))["placements"][0]["between_packages_bytes"]
                    for f in ("rankfile.json", "list.json"))
assert rankfile == listed, (rankfile, listed)
PY
done
for form in hydra rankfile order; do
  "$ranksight" map s.trace --hosts two --distribution cyclic --to $form \
    -o $form.txt >map.txt || fail "map --to $form"
done
grep -q '^best .* tiles .* of ' map.txt || fail "$(cat map.txt)"
python3 - <<'PY' || fail "forms"
import re
places = {}
for line in open("rankfile.txt"):
    rank, host, slot = re.fullmatch(r"rank (\d+)=(\w) slot=(\d)\n", line).groups()
    places[int(rank)] = (host, int(slot))
assert sorted(places) == list(range(16)) and len(set(places.values())) == 16
hosts = "".join(places[r][0] for r in range(16))
runs = [line.split(":") for line in open("hydra.txt")]
assert "".join(name * int(n) for name, n in runs) == hosts
rows = [list(map(int, line.split(","))) for line in open("order.txt")]
assert [[places[r] for r in row] for row in rows] == [
    [(h, s) for s in range(8)] for h in "ab"]
PY

# Hydra takes it, and MPI sees the hosts where they are in a row.
printf '%s\n' a:2 b:3 c:1 >hosts
export HYDRA_LAUNCHER=fork
must_record six.trace 6 "$examples/stencil2d" --size 8x8 --steps 3
"$ranksight" map six.trace --hosts hosts --to hydra -o "my taken" >map.txt ||
  fail "map of six"
LD_PRELOAD=$yield_preload "$ranksight" replay six.trace --no-compute \
  --launcher "$launcher -n {ranks} -f {map}" --map "my taken" --record again.trace \
  >out.txt 2>err.txt || fail "replay on hosts: $(cat err.txt)"
identical six.trace again.trace
"$ranksight" show again.trace | grep -q '^first host *[123] ranks' ||
  fail "no hosts in the replay"

# Simulated, fewer bytes between hosts are less time.
if [ -x "$build/bin/ranksight-replay-smpi" ]; then
  torus_platform 2 2
  printf '%s\n' n0:8 n1:8 >dealt
  "$ranksight" map s.trace --hosts dealt --distribution cyclic -o best \
    >map.txt || fail "map for SimGrid"
  printf '%s\n' n0 n1 >dealt
  for order in dealt best; do
    "$ranksight" simulate s.trace --platform torus.xml --hosts $order \
      --no-compute --json >$order.json || fail "simulate on $order"
  done
  python3 - <<'PY' || fail "the best order is not faster"
import json
dealt, best = (json.load(open(f + ".json"))["replayed_seconds"]
               for f in ("dealt", "best"))
assert best < 0.9 * dealt, (best, dealt)
PY
  expect_exit 2 "$ranksight" simulate s.trace --torus 4x4 --hosts best
fi

expect_exit 2 "$ranksight" map s.trace
expect_exit 2 "$ranksight" map s.trace --hosts hydra --torus 4x4
expect_exit 2 "$ranksight" map s.trace --hosts slurm
expect_exit 2 "$ranksight" map s.trace --hosts hydra --distribution arbitrary
expect_exit 2 "$ranksight" map s.trace --hosts hydra --node many
expect_exit 2 "$ranksight" map s.trace --hosts hydra --node 16777216x1
for option in '--node 2x2' '--distribution block' '--to rankfile'; do
  # shellcheck disable=SC2086
  expect_exit 2 "$ranksight" map s.trace --torus 4x4 $option -o not_there
  grep -Eq 'requires --hosts|have no names' err.txt || fail "$(cat err.txt)"
done
[ ! -e not_there ] || fail "a map of options that do not go together"
expect_exit 2 "$ranksight" map s.trace --hosts hydra --distribution block \
  --ranks-per-node 3
expect_exit 4 "$ranksight" map s.trace --hosts absent
printf 'a:4\nb:four\n' >bad
expect_exit 3 "$ranksight" map s.trace --hosts bad
grep -q "bad:2:3: a number of ranks expected, found 'four'" err.txt ||
  fail "$(cat err.txt)"
printf 'a\nx\n' >other
expect_exit 3 "$ranksight" map s.trace --hosts hydra --map other
grep -q 'other: host x is not in --hosts' err.txt || fail "$(cat err.txt)"
printf 'a\nb\n' >other
expect_exit 3 "$ranksight" map s.trace --hosts hydra --map other
grep -q 'other: places of 2 ranks, 16 needed' err.txt || fail "$(cat err.txt)"
printf 'a:16\n' >other
expect_exit 3 "$ranksight" map s.trace --hosts hydra --map other
grep -q 'other: more ranks on host a than its 4 places' err.txt ||
  fail "$(cat err.txt)"
