#!/usr/bin/env bash
# bigendian_core.sh ROOT: builds the core libraries for 64-bit big-endian Power
# (all of reduction, bgq_support without Kokkos, replay_engine without MPI) and
# runs their unit tests under emulation. Needs g++-powerpc64-linux-gnu and
# qemu-user; minutes, with a compiler cache less. What the format tests do on
# every change is in tests/bigendian.
set -euo pipefail
root=$(cd "$1" && pwd)
. "$root/tests/bigendian/cross.sh"

cd "$root"
libraries=$(ls reduction/*/*.cc bgq_support/*/*.cc \
               replay_engine/{schedule,compute,progress}/*.cc |
            grep -vE 'reduction/(tree_mpi|c_api)/|kokkos_engine')
{
  for s in $libraries; do echo "1 $s $work/lib_${s//\//_}.o"; done
  for folder in reduction bgq_support replay_engine; do
    for s in tests/unit/$folder/*.cc; do
      echo "0 $s $work/${folder}_$(basename "$s").o"
    done
  done
  echo "0 $gtest/src/gtest-all.cc $work/test_gtest.o"
  echo "0 $gtest/src/gtest_main.cc $work/test_main.o"
  echo "0 tests/bigendian/no_zstd.cc $work/lib_no_zstd.o"
} | xargs -P2 -L1 bash -c 'compile "$@"' _

cd "$work"
status=0
for folder in replay_engine bgq_support reduction; do
  $compiler -static -o "$folder" "${folder}"_*.o test_*.o lib_*.o -pthread
  echo "== $folder"
  # Compressed chunks are zstd's; Debian has none for this machine.
  (cd "$root" && qemu-ppc64 "$work/$folder" --gtest_brief=1 \
    --gtest_filter="${FILTER:-*}") || status=1
done
exit $status
