#!/usr/bin/env bash
# packages.sh: cpack made the four Debian packages, each file of the install in
# one of them, and each where it is looked for.
set -u
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
packed=${RANKSIGHT_PACKED:?set RANKSIGHT_PACKED to the folder of make_packages.sh}
source=${RANKSIGHT_SOURCE:?set RANKSIGHT_SOURCE to the checkout}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
command -v dpkg-deb >/dev/null || { echo "SKIPPED: no dpkg-deb"; exit 77; }
for package in ranksight ranksight-runtime libranksight-dev python3-ranksight; do
  deb=$(ls "$packed/${package}"_*.deb) || fail "no $package"
  dpkg-deb -c "$deb" | awk '{print $6}' | grep -v '/$' >"$package.txt"
  grep -qx "./usr/share/doc/$package/copyright" "$package.txt" ||
    fail "$package has no licence"
done
holds() { grep -q "$2" "$1.txt" || fail "$1 lacks $2"; }
holds ranksight '^./usr/bin/ranksight$'
holds ranksight '^./usr/share/bash-completion/completions/ranksight$'
holds ranksight '^./usr/share/fish/vendor_completions.d/ranksight.fish$'
if command -v zsh >/dev/null; then
  # shellcheck disable=SC2016
  zsh -fc 'print -l $fpath' >fpath.txt
  in=$(sed -n 's,^\.\(/.*\)/_ranksight$,\1,p' ranksight.txt)
  grep -qxF "$in" fpath.txt || fail "zsh does not look into '$in'"
fi
# Where there are manual pages they are packed; where there are none it is said.
grep -q '^RANKSIGHT_HELP2MAN:.*NOTFOUND' "$build/CMakeCache.txt" ||
  holds ranksight '^./usr/share/man/man1/ranksight.1.gz$'
says_pages_lack() {
  cmake -D CPACK_GENERATOR=DEB -D CPACK_TEMPORARY_DIRECTORY="$folder/$1" \
    -P "$source/cmake/PackageLibraries.cmake" >"$1.out" 2>&1 || fail "$(cat "$1.out")"
  grep -q 'has no manual pages' "$1.out"
}
for kind in bare paged; do
  mkdir -p $kind/usr/bin $kind/usr/share/man/man1
  cp "$(type -P true)" $kind/usr/bin/ranksight
done
touch paged/usr/share/man/man1/ranksight.1.gz
says_pages_lack bare || fail "not said: $(cat bare.out)"
says_pages_lack paged && fail "said where there are some: $(cat paged.out)"
holds ranksight-runtime '/libranksight.so$'
holds ranksight-runtime '/libranksight_trace.so$'
holds libranksight-dev '/pkgconfig/ranksight.pc$'
holds libranksight-dev '/reduction/api/ranksight_trace.h$'
holds python3-ranksight '/ranksight/__init__.py$'
dpkg-deb -x "$packed"/ranksight_*.deb unpacked
readelf -d unpacked/usr/bin/ranksight | grep -E 'R(UN)?PATH' >&2 &&
  fail "the command looks for libraries in a folder of its own"
program=$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' unpacked/usr/lib/systemd/system/ranksight.service)
[ -x "unpacked$program" ] || fail "the service starts '$program', which is not in the package"
kib=0
for package in ranksight ranksight-runtime; do
  kib=$((kib + $(dpkg-deb -f "$packed/${package}"_*.deb Installed-Size)))
done
# A service needs no more than these.
[ "$kib" -lt $((60 * 1024)) ] || fail "$kib KiB on disk"
twice=$(sort ./*.txt | grep '^\./' | uniq -d)
[ -z "$twice" ] || fail "in two packages: $twice"
dpkg-deb -f "$packed"/ranksight_*.deb Depends | grep -q 'ranksight-runtime (= ' ||
  fail "the command does not ask for its runtime"
