#!/usr/bin/env bash
# Of runs that ended early a store forecasts nothing, but from those of the
# build before; they are simulated on request.
. "$(dirname "$0")/lib.sh"
cp "$apps/crash" program
RANKSIGHT_EPOCH_EVENTS=40 after_cut part.trace 3 \
  record part.trace 4 ./program kill 1000000000 500 go
[ -s part.trace ] || fail "nothing is left"
"$ranksight" runs import --store store part.trace || fail "import"
forecast() {
  "$ranksight" forecast --store store --program program --ranks 16,16
}
expect_exit 1 forecast
grep -qx "ranksight: the store's runs of program are all partial" err.txt ||
  fail "$(cat err.txt)"

cp "$examples/stencil2d" program
for ranks in 1 2 4; do
  must_record "$ranks.trace" "$ranks" ./program --size 8x8 --steps 5
done
"$ranksight" runs import --store other {1,2,4}.trace part.trace || fail "import"
"$ranksight" forecast --store other --program program --ranks 16,16 >out.txt \
  2>err.txt
[ $? -le 1 ] || fail "$(cat err.txt)"
grep -q "newest build of program there are partial runs alone" err.txt ||
  fail "$(cat err.txt)"
# Times; what ranks hold stands in a table of its own.
[ "$(sed '/^memory of/,$d' out.txt | grep -cE '^ *16 ')" = 1 ] || fail "not one line of 16: $(cat out.txt)"
expect_exit 0 "$ranksight" runs --store other --program none
[ "$(wc -l <out.txt)" -le 1 ] || fail "$(cat out.txt)"

[ -x "$build/bin/ranksight-replay-smpi" ] || exit 0
expect_exit 1 "$ranksight" simulate part.trace --torus 2x2
grep -q -- '--partial' err.txt || fail "$(cat err.txt)"
"$ranksight" simulate part.trace --torus 2x2 --partial >out.txt 2>err.txt
[ $? -le 1 ] && ! grep -q -- --partial err.txt || fail "$(cat err.txt)"
