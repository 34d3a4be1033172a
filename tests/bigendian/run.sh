#!/usr/bin/env bash
# The format on a big-endian machine: builds the codec and bgq_support's torus
# for 64-bit Power, runs their unit tests under emulation, and compares files
# and frames with those of SAME_BYTES, built natively: each reads what the
# other wrote, and must write it again with the same bytes.
#   run.sh ROOT SAME_BYTES
set -euo pipefail
root=$1 native=$2
here=$root/tests/bigendian
. "$here/cross.sh"
filter='Codec.AnEmpty*:Codec.TheWorked*:Crc32c.*:Frame.EveryKind*:Frame.AnAck*'
filter+=":Machine*:Torus*"

cd "$root"
# Headers take most of compiling, so sources of a folder go together, as in the build
# (docs/design/0025), and so do tests.
together() {  # NAME SOURCE...: writes NAME.cc into the work folder
  local name=$1
  shift
  printf "#include \"$root/%s\"\n" "$@" >"$work/$name.cc"
}
# What the codec is made of; merging and folding hold no bytes.
for part in base event codec wire; do
  together lib_$part reduction/$part/*.cc
done
# Some of these have names that others know from elsewhere.
for source in reduction/section/*.cc; do
  together "lib_section_$(basename "$source" .cc)" "$source"
done
together lib_queue reduction/queue/{sketch,times,cursor,event_values,trace,memory}.cc
together lib_merge reduction/merge/{weight,keep_distributions}.cc
for part in torus routing; do
  together lib_$part bgq_support/$part/*.cc
done
together test_reduction tests/unit/reduction/{codec,frame}_test.cc
together test_crc tests/unit/reduction/crc32c_test.cc
together test_torus tests/unit/bgq_support/{machine,torus}_test.cc
{
  for s in "$work"/lib_*.cc; do echo "1 $s ${s%.cc}.o"; done
  for s in "$work"/test_*.cc; do echo "0 $s ${s%.cc}.o"; done
  echo "0 $gtest/src/gtest-all.cc $work/test_gtest.o"
  echo "0 $gtest/src/gtest_main.cc $work/test_main.o"
  echo "0 $here/same_bytes.cc $work/same_bytes.o"
  echo "0 $here/no_zstd.cc $work/lib_no_zstd.o"
} | xargs -P2 -L1 bash -c 'compile "$@"' _

cd "$work"
$compiler -static -o same_bytes same_bytes.o lib_*.o
$compiler -static -o unit_tests test_*.o lib_*.o -pthread

mkdir little big
"$native" write little
qemu-ppc64 ./same_bytes write big
qemu-ppc64 ./same_bytes read little
"$native" read big
cmp little/0 big/0
cmp little/frame big/frame
# Sizes are zstd's, and left out here.
qemu-ppc64 ./unit_tests --gtest_brief=1 --gtest_filter="$filter"
echo "the same bytes on both: $(ls big | wc -l) files"
