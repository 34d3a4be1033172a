#!/usr/bin/env bash
# linked.sh shared|static c|mpif|f08
# The runtime linked into a program instead of preloaded, with --as-needed,
# which drops whatever a program names no symbol of.
. "$(dirname "$0")/lib.sh"
sources=${RANKSIGHT_SOURCE:?}/tests/apps
case $1 in
  shared)
    link=(-Wl,--push-state,--no-as-needed "$runtime" -Wl,--pop-state
      "-Wl,-rpath,$build/lib")
    ;;
  static)
    archives=("$build/lib/libranksight.a")
    [ "$2" != f08 ] || archives+=("$build/lib/libranksight_f08.a")
    for archive in "${archives[@]}"; do
      [ -s "$archive" ] || fail "no $archive"
    done
    link=(-Wl,--whole-archive "${archives[@]}"
      -Wl,--no-whole-archive -lstdc++ -ldl -lpthread)
    ;;
  *) fail "unknown case $1" ;;
esac
# shellcheck disable=SC2206
link+=(-Wl,--as-needed ${RANKSIGHT_STATIC_LIBS:-})
case $2 in
  c)
    mpicc.mpich -g -O1 "$sources/two_callers.c" -o app "${link[@]}"
    twin=$apps/two_callers
    ;;
  *)
    # The compiler wrapper puts MPI last, so that ours comes first.
    mpif90.mpich -w -g -O1 -ffree-line-length-none "-DFORM_${2^^}" \
      "$sources/fortran/calls.F90" -o app "${link[@]}"
    twin=$apps/fortran_$2
    ;;
esac || fail "linking"
logged logs 4 "$twin" >plain.out || fail "the logged run"
RANKSIGHT_OUTPUT=$PWD/run.trace plain 4 ./app >traced.out || fail "the run"
diff plain.out traced.out >&2 || fail "output differs"
[ -s run.trace ] || fail "no trace"
for rank in 0 1 2 3; do
  diff "logs/$rank.txt" <(events run.trace "$rank") >difference.txt || {
    head -20 difference.txt >&2
    fail "canonical text of rank $rank"
  }
done
