# What builds for 64-bit big-endian Power share. Sourced with root set. Gives a
# work folder, removed at the end, and compile, to be called by xargs.
# Exit 77, which ctest reports as skipped, where there is no cross compiler.
# shellcheck shell=bash disable=SC2034,SC2154
compiler=powerpc64-linux-gnu-g++
for tool in $compiler qemu-ppc64; do
  command -v $tool >/dev/null || { echo "no $tool: not checked"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
launcher=$(command -v ccache || true)
gtest=/usr/src/googletest/googletest
compile() {  # level, source, object
  $launcher $compiler -std=c++20 "-O$1" -g0 -w -I"$root" \
    -idirafter /usr/include -I"$gtest" -I"$gtest/include" \
    -DRANKSIGHT_FORMAT_MD="\"$root/reduction/FORMAT.md\"" -c "$2" -o "$3"
}
export -f compile
export launcher compiler root gtest
