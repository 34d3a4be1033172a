#!/usr/bin/env bash
# rank_order.sh IDIOMS IDIOM SEED TARGET SIZES [ORDER]
# Ranks that do not lie row by row on their grid, or (without ORDER) any: laws
# from runs of the idiom on these sizes give what it does on TARGET ranks, and so does
# a program made from the laws, recorded there.
. "$(dirname "$0")/lib.sh"
idioms=$1 idiom=$2 seed=$3 target=$4 sizes=$5 order=${6:-}
inputs=()
for ranks in ${sizes//,/ } "$target"; do
  "$idioms" --idiom "$idiom" --seed "$seed" --ranks "$ranks" -o "$ranks.trace" ||
    fail "no run on $ranks ranks"
  [ "$ranks" = "$target" ] || inputs+=("$ranks.trace")
done
must_extrapolate "${inputs[@]}" --ranks "$target" --symbolic --exact -o laws.trace
expect_exit 0 "$ranksight" extrapolate laws.trace --ranks "$target" -o made.trace
identical made.trace "$target.trace"
expect_exit 0 "$ranksight" show laws.trace --laws
grep -q "$order" out.txt || fail "the order is not named: $(cat out.txt)"
expect_exit 0 "$ranksight" generate laws.trace --to c -o made
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again made/*.c
must_record again.trace "$target" made/again --no-compute
identical again.trace "$target.trace"
