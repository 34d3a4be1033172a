#!/usr/bin/env bash
# install.sh KIND: installs, moves what was installed, builds a consumer
# against it and looks at the trace of its run. See README.md.
set -u
kind=$1
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
launcher=${RANKSIGHT_MPIEXEC:-mpiexec.mpich}
mpicc=${RANKSIGHT_MPICC:-mpicc.mpich}
mpifort=${mpicc/mpicc/mpif90}
cmake=${CMAKE_COMMAND:-cmake}
sources=${RANKSIGHT_SOURCE:?}/tests/install/consumer
export UCX_HANDLE_ERRORS=none
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# step COMMAND...: quiet unless it fails.
step() {
  "$@" >step.out 2>&1 || {
    tail -40 step.out >&2
    echo "FAILED: $*" >&2
    exit 1
  }
}

step "$cmake" --install "$build" --prefix "$folder/first"
mv first moved
prefix=$folder/moved
lib=$prefix/${RANKSIGHT_LIBDIR:-lib}
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib

with_cmake() {
  step "$cmake" -S "$sources" -B out -DKIND="$kind" -DWANTED="$1" \
    -DCMAKE_PREFIX_PATH="$prefix" -DMPI_C_COMPILER="$mpicc" \
    -DMPI_CXX_COMPILER="${mpicc/mpicc/mpicxx}" \
    -DMPI_Fortran_COMPILER="$mpifort"
  step "$cmake" --build out
}

# with_pkgconfig PACKAGE: as C, without and with the API.
with_pkgconfig() {
  local flags
  flags=$(pkg-config --cflags --libs "$1") || exit 1
  mkdir -p out
  # shellcheck disable=SC2086
  step "$mpicc" -Wl,--as-needed -DUSE_API "$sources/app.c" -o out/api $flags
  # shellcheck disable=SC2086
  step "$mpicc" -Wl,--as-needed "$sources/app.c" -o out/consumer $flags
  # shellcheck disable=SC2086
  step "$mpicc" -Wl,--as-needed "$sources/few.c" -o out/few $flags
}

with_optional() {
  local flags
  flags=$(pkg-config --cflags --libs ranksight-optional) || exit 1
  mkdir -p out
  # shellcheck disable=SC2086
  if [ "$1" = c ]; then
    step "$mpicc" "$sources/optional.c" -o out/consumer $flags
  else
    step "$mpifort" "$(pkg-config --variable=fortran_module ranksight-optional)" \
      "$sources/optional.f90" -o out/consumer $flags
  fi
}

# Without the runtime, then with it.
run_optional() {
  step "$launcher" -n 2 out/consumer
  [ ! -e run.trace ] || { echo "FAILED: a trace without runtime" >&2; exit 1; }
  RANKSIGHT_OUTPUT=$folder/run.trace step "$launcher" -n 2 \
    -env LD_PRELOAD "$lib/libranksight.so" out/consumer
  step "$prefix/bin/ranksight" show run.trace --tree
  grep -q 'MPI_Sendrecv.*@ \[ring\] ' step.out || {
    cat step.out >&2
    echo "FAILED: no exchange in the region" >&2
    exit 1
  }
  step "$prefix/bin/ranksight" show run.trace
  grep -q 'size=7' step.out || { cat step.out >&2; exit 1; }
}

run() {
  RANKSIGHT_OUTPUT=$folder/run.trace step "$launcher" -n 2 "$1"
  [ -s run.trace ] || { echo "FAILED: $1 left no trace" >&2; exit 1; }
  step "$prefix/bin/ranksight" show run.trace --events --rank 1
  [ "$(grep -c '^MPI_Sendrecv .*peer=0 .*bytes=4' step.out)" -eq 10 ] || {
    cat step.out >&2
    echo "FAILED: not the ten exchanges of $1" >&2
    exit 1
  }
}

case $kind in
  pkgconfig) with_pkgconfig ranksight ;;
  pkgconfig_static) with_pkgconfig ranksight-static ;;
  pkgconfig_optional) with_optional c ;;
  pkgconfig_optional_fortran) with_optional fortran ;;
  libraries) with_cmake "runtime;libraries" ;;
  *) with_cmake runtime ;;
esac
case $kind in
  libraries)
    step "$mpicc" "$sources/app.c" -o app
    RANKSIGHT_OUTPUT=$folder/run.trace step "$launcher" -n 2 \
      -env LD_PRELOAD "$lib/libranksight.so" ./app
    step out/consumer run.trace
    grep -qx '2 ranks' step.out || { cat step.out >&2; exit 1; }
    ;;
  *optional*) run_optional ;;
  pkgconfig*)
    run out/api
    rm run.trace
    run out/consumer
    rm run.trace
    RANKSIGHT_OUTPUT=$folder/run.trace step "$launcher" -n 2 out/few
    [ -s run.trace ] || { echo "FAILED: few.c left no trace" >&2; exit 1; }
    ;;
  *) run out/consumer ;;
esac
