#!/usr/bin/env bash
# tarball.sh: what `cpack -G TGZ` packed works where it is unpacked, and again
# where that is moved to: it finds its own libraries, records, forecasts, and
# has a module file and a Python package that find it. It is small; the one that
# programs are built with has more, and a program links its static runtime.
set -u
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
packed=${RANKSIGHT_PACKED:?set RANKSIGHT_PACKED to the folder of make_packages.sh}
source=${RANKSIGHT_SOURCE:?set RANKSIGHT_SOURCE to the checkout}
launcher=${RANKSIGHT_MPIEXEC:-mpiexec.mpich}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
mkdir first && tar -C first -xzf "$packed"/ranksight-*.tar.gz
mkdir moved && mv first/ranksight-* moved/here || fail "no tarball"
prefix=$folder/moved/here
kib=$(du -sk "$prefix" | cut -f 1)
[ "$kib" -lt $((60 * 1024)) ] || fail "$kib KiB on disk"
grep -q '_CPack' "$prefix"/lib/systemd/system/ranksight.service &&
  fail "the service starts what was packed, where it was packed"
unset LD_LIBRARY_PATH PYTHONPATH RANKSIGHT_PREFIX

# Not on every machine, and not an MPI.
own() { ldd "$1" | grep -v -e "$prefix/" -e linux-vdso -e /ld-linux \
  -e '/lib\(c\|m\|stdc++\|gcc_s\|pthread\|dl\|rt\|resolv\)\.so'; }
for file in bin/ranksight lib*/libranksight_trace.so; do
  # shellcheck disable=SC2086
  outside=$(own "$prefix"/$file) && fail "$file needs $outside"
done

export LD_PRELOAD=$build/lib/libyield_preload.so IDLE_US=20
step() { "$@" >out.txt 2>err.txt || fail "$* $(cat out.txt err.txt)"; }
for ranks in 4 9 16; do
  step env LD_DEBUG=libs LD_DEBUG_OUTPUT="$folder/loader" "$prefix/bin/ranksight" \
    record -o $ranks.trace --to "ipc://$folder/nobody" -- \
    "$launcher" -n $ranks "$build/bin/stencil2d" --size 8x8 --steps 10
  step "$prefix/bin/ranksight" show $ranks.trace
done
# The process whose runtime streams took that library, with what it needs.
ranks=$(grep -l 'calling init: .*/libranksight-' loader.*) || fail "no runtime"
for name in libzmq libsodium; do
  # shellcheck disable=SC2086
  cat $ranks | grep -q "calling init: $prefix/.*/$name.so" ||
    fail "the runtime's $name is not the tarball's"
done
"$prefix/bin/ranksight" forecast 4.trace 9.trace 16.trace --ranks 64 >out.txt 2>&1
[ $? -le 1 ] || fail "forecast: $(cat out.txt)"
grep -q '^ *64' out.txt || fail "no forecast: $(cat out.txt)"
unset LD_PRELOAD

if [ -r /usr/share/modules/init/bash ]; then
  (
    . /usr/share/modules/init/bash
    module use "$prefix/share/ranksight/modulefiles"
    module load ranksight
    [ "$(command -v ranksight)" = "$prefix/bin/ranksight" ] &&
      [ "$RANKSIGHT_PREFIX" = "$prefix" ]
  ) || fail "the module file"
fi
if /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
  PYTHONPATH="$prefix/share/ranksight/python" step /usr/bin/python3 -c \
    'import ranksight; assert len(ranksight.open("9.trace").call_sites())'
fi

cpack -G TGZ -D RANKSIGHT_DEVELOPMENT=ON --config "$build/CPackConfig.cmake" \
  -B "$folder/out" >cpack.txt 2>&1 || fail "$(tail -20 cpack.txt)"
tar -C moved -xzf out/ranksight-dev-*.tar.gz && rm -rf out
development=$(ls -d moved/ranksight-dev-*) || fail "no tarball to build with"
grep -q '\.debug_info' <(readelf -SW "$development"/lib*/libranksight.a) &&
  fail "static libraries with what debuggers read"
PKG_CONFIG_PATH=$(echo "$folder/$development"/lib*/pkgconfig)
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
step "${RANKSIGHT_MPICC:-mpicc.mpich}" "$source/tests/install/consumer/app.c" \
  -o app $(pkg-config --cflags --libs ranksight-static)
RANKSIGHT_OUTPUT=static.trace step "$launcher" -n 2 ./app
step "$development/bin/ranksight" show static.trace

# The shared one, by the module alone.
if [ -r /usr/share/modules/init/bash ]; then
  unset PKG_CONFIG_PATH
  (
    . /usr/share/modules/init/bash
    module use "$folder/$development/share/ranksight/modulefiles"
    module load ranksight
    # shellcheck disable=SC2046
    step "${RANKSIGHT_MPICC:-mpicc.mpich}" "$source/tests/install/consumer/app.c" \
      -o shared $(pkg-config --cflags --libs ranksight)
    RANKSIGHT_OUTPUT=shared.trace step "$launcher" -n 2 ./shared
    step ranksight show shared.trace
  ) || fail "a program linked by the module"
fi
