#!/usr/bin/env bash
# What waits for what: a program that ends only where MPI keeps its messages is
# found out, and a replay of longer messages, which stands still, is explained.
. "$(dirname "$0")/lib.sh"
cp "$apps/unsafe" .  # names are looked for beside the trace
must_record unsafe.trace 3 ./unsafe 100
expect_exit 1 "$ranksight" replay unsafe.trace --check
cp out.txt check.txt
head -1 check.txt | grep -qx "potential deadlock: ends only where sends of up\
 to 128 bytes return before they are received; else 3 of 3 ranks stand" ||
  fail "verdict: $(head -1 check.txt)"
for rank in 0 1 2; do
  next=$(((rank + 1) % 3))
  grep -A1 "rank $rank, event 2: MPI_Send comm=0 peer=$next tag=7 bytes=100" \
    check.txt | grep -q "waits for rank $next to receive" ||
    fail "rank $rank: $(cat check.txt)"
done
grep -q "at main .*unsafe.c:1[0-9]" check.txt || fail "no call site in $(cat check.txt)"
"$ranksight" replay unsafe.trace --check --json |
  python3 -c 'import json, sys; d = json.load(sys.stdin); sys.exit(not (
d["deadlock"] == "sends" and d["buffer_bytes"] == 128 and d["circle"] and
[w["on"] for w in d["waits"]] == [1, 2, 0]))' || fail "json"
expect_exit 1 "$ranksight" replay unsafe.trace --check --bytes-scale 1000
grep -q "131072 bytes" out.txt || fail "scaled: $(head -1 out.txt)"

# Ten megabytes no MPI keeps.
LD_PRELOAD=$yield_preload expect_exit 1 "$ranksight" replay unsafe.trace \
  --no-compute --launcher "$launcher" --bytes-scale 1e5 --stall 2
grep -q "waits for rank 1 to receive" err.txt || fail "$(cat err.txt)"
grep -q "and so on in a circle" err.txt || fail "$(cat err.txt)"

# Programs that do it right.
for program in "$examples/stencil2d --size 8x8 --steps 5" "$apps/all_calls" \
  "$apps/loops" "$apps/modern" "$apps/choices" "$apps/from_group"; do
  # shellcheck disable=SC2086
  must_record safe.trace 4 $program
  expect_exit 0 "$ranksight" replay safe.trace --check
done
