#!/usr/bin/env bash
# linked.sh shared|static
# The runtime linked into a program instead of preloaded.
. "$(dirname "$0")/lib.sh"
case $1 in
  shared)
    link=(-Wl,--no-as-needed "$runtime" -Wl,--as-needed
      "-Wl,-rpath,$build/lib")
    ;;
  static)
    [ -s "$build/lib/libranksight.a" ] || fail "no libranksight.a"
    link=(-Wl,--whole-archive "$build/lib/libranksight.a"
      -Wl,--no-whole-archive -lstdc++ -ldl -lpthread)
    ;;
  *) fail "unknown case $1" ;;
esac
source=${RANKSIGHT_SOURCE:?}/tests/apps/two_callers.c
# shellcheck disable=SC2086
mpicc.mpich -g -O1 "$source" -o app "${link[@]}" ${RANKSIGHT_STATIC_LIBS:-} ||
  fail "linking"
logged logs 4 "$apps/two_callers" >plain.out || fail "the logged run"
RANKSIGHT_OUTPUT=$PWD/run.trace plain 4 ./app >traced.out || fail "the run"
diff plain.out traced.out >&2 || fail "output differs"
[ -s run.trace ] || fail "no trace"
for rank in 0 1 2 3; do
  diff "logs/$rank.txt" <(events run.trace "$rank") >difference.txt || {
    head -20 difference.txt >&2
    fail "canonical text of rank $rank"
  }
done
