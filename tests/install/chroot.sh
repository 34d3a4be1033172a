#!/usr/bin/env bash
# chroot.sh: the Debian packages on a fresh machine, a chroot of Debian with
# nothing in it: from there to a forecast and a replay, and nothing is left after
# a purge; then the tarball, which then has none of its libraries there. Says how
# long the way to the forecast took. Exit 77 where there can be no such chroot.
set -u
. "$(dirname "$0")/lib.sh"
make_machine ""
put_packages
cp "$build/bin/stencil2d" "$build/lib/libyield_preload.so" "$root/opt"
forecast='cd /srv && ranksight study --ranks 4,9,16 --forecast 64 \
  --launcher "mpiexec.mpich -n {ranks}" -- /opt/stencil2d --size 16x16 --steps 20 \
  || [ $? -eq 1 ]'
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

tar -C "$root/opt" -xzf "$packed"/ranksight-*.tar.gz
inside "! ls /usr/lib/*/libzmq.so.5 && PATH=\$(echo /opt/ranksight-*/bin):\$PATH &&
  $forecast" /opt/libyield_preload.so
grep -q 'at 64: ' inside.txt || fail "no forecast: $(cat inside.txt)"
