# lib.sh: a fresh machine for the tests beside it, sourced by them: a chroot of
# Debian in $root with $packages in it, and a temporary folder to work in.
# Exit 77 where there can be none.
build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
packed=${RANKSIGHT_PACKED:?set RANKSIGHT_PACKED to the folder of make_packages.sh}
skip() {
  echo "SKIPPED: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# make_machine PACKAGES: comma-separated ones of Debian beside a bare system with apt.
make_machine() {
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
  mmdebstrap --variant=apt ${1:+--include="$1"} "${VERSION_CODENAME:-stable}" "$root" \
    >made.txt 2>&1 || skip "no chroot, or no network: $(tail -3 made.txt)"
  # A machine knows its own name: where a resolver is asked for it, 16 ranks of
  # MPICH take half a minute to start.
  echo "127.0.0.1 localhost $(uname -n)" >"$root/etc/hosts"
}

# inside COMMAND [PRELOAD]: by sh in the chroot, with /proc and shared memory there.
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

# put_packages: those of the command and its runtime, into /packages of the machine.
put_packages() {
  mkdir "$root/packages"
  cp "$packed"/ranksight_*.deb "$packed"/ranksight-runtime_*.deb "$root/packages" ||
    fail "no packages"
  # Whether packages can be had there at all is no matter of ours.
  (inside 'apt-get -q update && cd /tmp && apt-get -q download mpich') \
    >/dev/null 2>&1 || skip "no packages in the chroot: $(tail -3 inside.txt)"
}
