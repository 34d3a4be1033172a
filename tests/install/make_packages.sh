#!/usr/bin/env bash
# make_packages.sh FOLDER: cpack makes the tarball and, where there is dpkg, the
# Debian packages into FOLDER, once for all tests that try them.
set -u
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
packages=${1:?}
# None of another build is to be taken for them.
rm -rf "$packages"
mkdir -p "$packages"
kinds=TGZ
command -v dpkg-deb >/dev/null && kinds="TGZ DEB"
for kind in $kinds; do
  cpack -G "$kind" --config "$build/CPackConfig.cmake" -B "$packages" \
    >"$packages/cpack.txt" 2>&1 || {
    echo "FAILED: cpack -G "$kind": $(tail -20 "$packages/cpack.txt")" >&2
    exit 1
  }
done
rm -rf "$packages/_CPack_Packages"
