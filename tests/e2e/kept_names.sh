#!/usr/bin/env bash
# Names of call sites are kept with the run: from programs in folders below, in
# C++ with templates, in a shared library, with and without debug information,
# also when the program is gone; in files, in a store, and in what a side-car
# received.
. "$(dirname "$0")/lib.sh"
mkdir -p sub/bin sub/lib
cat >library.cc <<'EOF'
#include <mpi.h>
#include <map>
#include <string>
namespace solver {
template <class T>
struct Field {
  __attribute__((noinline)) double Sum(double in) const {
    double out = 0;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // sum
    return out;
  }
};
template struct Field<std::map<std::string, std::map<int, double>>>;
}  // namespace solver
EOF
cat >app.cc <<'EOF'
#include <mpi.h>
#include <map>
#include <string>
namespace solver {
template <class T>
struct Field {
  double Sum(double in) const;
};
}  // namespace solver
namespace {
__attribute__((noinline)) double Step(double x) {
  solver::Field<std::map<std::string, std::map<int, double>>> field;
  return field.Sum(x) + 1;
}
}  // namespace
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double x = 1;
  for (int i = 0; i < 5; ++i) x = Step(x);
  MPI_Finalize();
  return x < 0;
}
EOF
line=$(grep -n '// sum' library.cc | cut -d: -f1)
build_app() {  # FLAGS...
  rm -rf sub/bin/* sub/lib/*
  # The libraries' own names have a folder, as installed programs have.
  mpicxx.mpich "$@" -O1 -fPIC -shared library.cc -o sub/lib/libown.so &&
    mpicxx.mpich "$@" -O1 app.cc -o sub/bin/app -Lsub/lib -lown \
      -Wl,-rpath,"$PWD/sub/lib" || fail "compiling"
}
# kept FILE TEXT: of a trace that is alone.
kept() {
  rm -rf alone && mkdir alone && cp "$1" alone/ || fail "no $1"
  (cd alone && "$ranksight" stats "$(basename "$1")") >stats.txt ||
    fail "$(cat stats.txt)"
  grep -qF -- "$2" stats.txt || fail "no name '$2' in $1: $(cat stats.txt)"
}
for flags in -g "-g -no-pie" ""; do
  # shellcheck disable=SC2086
  build_app $flags
  must_record app.trace 2 sub/bin/app
  mv sub gone
  if [ -n "$flags" ]; then
    kept app.trace "solver::Field<...>::Sum library.cc:$line < "
    kept app.trace " < Step app.cc:"
  else
    # Functions alone; the anonymous one may have no symbol.
    kept app.trace "solver::Field<...>::Sum < "
  fi
  mv gone sub
done

# Fortran: procedures of a module, and outside of one.
if command -v mpif90.mpich >/dev/null; then
  printf '%s\n' 'module heat' 'use mpi' 'contains' 'subroutine step(x)' \
    'real(8) :: x, y' 'integer :: e' \
    'call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)' \
    'x = y' 'end subroutine' 'end module' 'program p' \
    'use mpi' 'use heat' 'real(8) :: x' 'integer :: e, i' 'call MPI_Init(e)' \
    'x = 1' 'do i = 1, 5' 'call outer(x)' 'end do' 'call MPI_Finalize(e)' \
    'end program' 'subroutine outer(x)' 'use heat' 'real(8) :: x' 'call step(x)' \
    'x = x + 1' 'end subroutine' >heat.f90
  mpif90.mpich -g -fno-inline heat.f90 -o sub/bin/heat || fail "compiling"
  must_record heat.trace 2 sub/bin/heat
  rm sub/bin/heat heat.mod
  kept heat.trace "heat::step heat.f90:7 < outer heat.f90:26 < "
fi

# The trace is otherwise as ranks wrote it: a store takes it for the run that a
# side-car received, names and all.
build_app -g
endpoint=ipc://$folder/socket
start_page --listen "$endpoint" --store store --http 127.0.0.1:0
for ranks in 2 3 4; do
  LD_PRELOAD=$yield_preload "$ranksight" record -o run.$ranks.trace \
    --to "$endpoint" -- "$launcher" -n $ranks sub/bin/app || fail "recording"
done
expect_exit 0 "$ranksight" runs import --store store run.2.trace
grep -q 'is in the store already' err.txt || fail "another run: $(cat err.txt)"
# Names are found once the run is stored, and then stand in what is asked.
named_at() {
  "$ranksight" forecast --store store --program app --ranks 8 --json >f.json
  grep -q '"place": "library.cc:'"$line"'"' f.json
}
mv sub gone
wait_for named_at || fail "no names in the store: $(cat f.json serve.err)"
job=$("$ranksight" runs --store store --json | grep -o '"job": *"[^"]*"' |
  head -1 | cut -d'"' -f4)
expect_exit 0 "$ranksight" runs export --store store "$job" -o exported.trace
kept exported.trace "library.cc:$line"
expect_exit 0 "$ranksight" runs import --store other exported.trace
ls other/names/* >/dev/null || fail "an import has lost the names"

# A run that no `record` launched has no names yet: the import finds them.
mv gone sub
LD_PRELOAD=$build/lib/libranksight.so RANKSIGHT_OUTPUT=plain.trace \
  "$launcher" -n 2 sub/bin/app || fail "recording without the command"
mv sub gone
! (kept plain.trace "library.cc:$line") 2>not.txt || fail "it has names already"
mv gone sub
expect_exit 0 "$ranksight" runs import --store plain plain.trace
rm -r sub
job=$("$ranksight" runs --store plain --json | grep -o '"job": *"[^"]*"' |
  head -1 | cut -d'"' -f4)
expect_exit 0 "$ranksight" runs export --store plain "$job" -o named.trace
kept named.trace "library.cc:$line"
