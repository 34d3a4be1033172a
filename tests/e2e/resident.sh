#!/usr/bin/env bash
# What ranks hold in memory: against what Linux counts without the runtime, a
# closed formula, and larger runs.
# Use: resident.sh PROGRAM, tests/apps/holds.
. "$(dirname "$0")/lib.sh"
program=$1
share=96 each=4 a_rank=128  # MiB, MiB, KiB: twice that at the peak
for ranks in 2 4 8 12 16 24; do
  record $ranks.trace "$ranks" "$program" $share $each $a_rank >out.txt ||
    fail "recording of $ranks ranks"
  "$ranksight" show $ranks.trace --json >$ranks.json || fail "show $ranks"
done
for ranks in 2 8; do
  plain "$ranks" "$program" $share $each $a_rank >$ranks.plain || fail "run"
done
"$ranksight" forecast {2,4,8,12}.trace --ranks 16,24 --memory-per-node 256M \
  --ranks-per-node 4 --json >forecast.json || [ $? = 1 ] || fail "forecast"
python3 - $share $each $a_rank <<'PY' || fail "memory is far off"
import json, sys
share, each, a_rank = map(float, sys.argv[1:])
MIB = 1 << 20
wrong = []
def expect(what, is_, should, within):
    print(f"{what}: {is_ / MIB:.2f} MiB, {should / MIB:.2f}", file=sys.stderr)
    if abs(is_ - should) > within:
        wrong.append(what)
def peak(ranks):
    return 2 * (share / ranks + each + a_rank / 1024 * ranks) * MIB
base = []
for ranks in (2, 4, 8, 12, 16, 24):
    m = json.load(open(f"{ranks}.json"))["memory"]
    if m["unknown_ranks"] or m["peak_bytes"]["min"] <= 0:
        wrong.append(f"unknown at {ranks}")
    base.append(m["peak_bytes"]["mean"] - peak(ranks))
    seen = max(level["max_bytes"] for level in m["along"])
    expect(f"largest sample at {ranks}", seen, m["peak_bytes"]["max"], 3 * MIB)
    # What was there for a moment is there no more.
    expect(f"end at {ranks}", m["end_bytes"]["mean"] - m["start_bytes"]["mean"],
           0, 4 * MIB)
# What is there besides is the same throughout, but for MPI's own.
for i, b in enumerate(base):
    expect(f"besides {i}", b, base[0], 4 * MIB)
for ranks in (2, 8):
    plain = int(open(f"{ranks}.plain").read().split()[1]) * 1024
    m = json.load(open(f"{ranks}.json"))["memory"]
    expect(f"without the runtime at {ranks}", m["peak_bytes"]["mean"], plain,
           2 * MIB)
f = json.load(open("forecast.json"))["memory"]
for point in f["points"]:
    is_ = json.load(open(f"{point['ranks']}.json"))["memory"]["peak_bytes"]
    expect(f"forecast {point['ranks']}", point["bytes"], is_["mean"], 4 * MIB)
    if point["refused"] or not point["low"] <= is_["mean"] <= point["high"]:
        wrong.append(f"interval at {point['ranks']}: {point}")
    # Of 256 MiB four ranks need at least twice their data each.
    if point["ranks_that_fit"] * peak(point["ranks"]) > 256 * MIB:
        wrong.append(f"too many fit: {point}")
print("; ".join(wrong), file=sys.stderr)
sys.exit(1 if wrong else 0)
PY
