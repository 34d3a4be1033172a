#!/usr/bin/env bash
# chroot.sh: the Debian packages on a fresh machine, a chroot of Debian with
# nothing in it: from there to a forecast and a replay, and nothing is left after
# a purge; then the tarball, which then has none of its libraries there. Says how
# long the way to the forecast took. Exit 77 where there can be no such chroot.
set -u
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
skip() {
  echo "SKIPPED: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in mmdebstrap unshare dpkg-deb; do
  command -v $tool >/dev/null || skip "no $tool"
done
unshare --mount --pid --fork true 2>/dev/null || skip "no namespaces here"
. /etc/os-release
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
root=$folder/system
mmdebstrap --variant=apt "${VERSION_CODENAME:-stable}" "$root" >made.txt 2>&1 ||
  skip "no chroot, or no network: $(tail -3 made.txt)"
# A machine knows its own name: where a resolver is asked for it, 16 ranks of
# MPICH take half a minute to start.
echo "127.0.0.1 localhost $(uname -n)" >"$root/etc/hosts"

# inside COMMAND: by sh in the chroot, with /proc and shared memory there.
inside() {
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    mount -t tmpfs tmpfs "$0/dev/shm" &&
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv \
      LD_PRELOAD="$2" IDLE_US=20 DEBIAN_FRONTEND=noninteractive sh -euc "$1"' \
    "$root" "$1" "${2:-}" >inside.txt 2>&1 && return
  grep -qE 'Failed to fetch|Temporary failure|Could not (resolve|connect)' \
    inside.txt && skip "the network went away: $(tail -3 inside.txt)"
  fail "$1: $(tail -30 inside.txt)"
}
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/out" >cpack.txt 2>&1 ||
  fail "$(tail -20 cpack.txt)"
mkdir "$root/packages"
cp out/ranksight_*.deb out/ranksight-runtime_*.deb "$root/packages"
cp "$build/bin/stencil2d" "$build/lib/libyield_preload.so" "$root/opt"
forecast='cd /srv && ranksight study --ranks 4,9,16 --forecast 64 \
  --launcher "mpiexec.mpich -n {ranks}" -- /opt/stencil2d --size 16x16 --steps 20 \
  || [ $? -eq 1 ]'
# Whether packages can be had there at all is no matter of ours.
(inside 'apt-get -q update && cd /tmp && apt-get -q download mpich') \
  >/dev/null 2>&1 || skip "no packages in the chroot: $(tail -3 inside.txt)"
started=$(date +%s)
inside 'apt-get -q update && apt-get -q install -y --no-install-recommends \
  /packages/*.deb mpich'
echo "installed after $(($(date +%s) - started)) s"
inside "$forecast" /opt/libyield_preload.so
grep -q 'at 64: ' inside.txt || fail "no forecast: $(cat inside.txt)"
echo "forecast after $(($(date +%s) - started)) s"
inside 'cd /srv && ranksight doctor && ranksight replay \
  ranksight-study/*16*.trace' /opt/libyield_preload.so
inside 'apt-get -q purge -y ranksight ranksight-runtime &&
  apt-get -q autoremove -y --purge && rm -rf /srv/* /packages &&
  ! find / -xdev -name "*ranksight*" | grep .'

cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$folder/out" >cpack.txt 2>&1 ||
  fail "$(tail -20 cpack.txt)"
tar -C "$root/opt" -xzf out/ranksight-*.tar.gz
inside "! ls /usr/lib/*/libzmq.so.5 && PATH=\$(echo /opt/ranksight-*/bin):\$PATH &&
  $forecast" /opt/libyield_preload.so
grep -q 'at 64: ' inside.txt || fail "no forecast: $(cat inside.txt)"
