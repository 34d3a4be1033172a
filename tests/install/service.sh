#!/usr/bin/env bash
# service.sh: the Debian packages as a service under a real systemd, as
# docs/service.md says: a machine that was booted, a program that another user
# records, a token that survives a restart, nothing left after a purge.
# Exit 77 where no such machine can be booted.
set -u
. "$(dirname "$0")/lib.sh"
command -v systemd-nspawn >/dev/null || skip "no systemd-nspawn"
make_machine systemd,systemd-sysv,curl
put_packages
cp "$build/bin/stencil2d" "$build/lib/libyield_preload.so" "$root/opt"
inside 'apt-get -q install -y --no-install-recommends /packages/*.deb mpich &&
  useradd --create-home anna'

cat >"$root/opt/steps" <<'END'
set -eu
trap '[ $? -eq 0 ] || journalctl --no-pager -o cat -u ranksight | tail -20' EXIT
set -x
# wait_for COMMAND...: half a minute for what a service does after it was asked.
wait_for() {
  for _ in $(seq 30); do
    "$@" && return
    sleep 1
  done
  "$@"
}
# never COMMAND...: fails where it does not.
never() {
  if "$@"; then exit 1; fi
}
never test -e /etc/ranksight
mkdir -p /etc/ranksight && cp /usr/share/doc/ranksight/serve.toml /etc/ranksight
systemctl enable --now ranksight
store=/var/lib/ranksight/store
wait_for test -s $store/tokens
records() {
  su anna -c 'cd && LD_PRELOAD=/opt/libyield_preload.so ranksight record \
    --to tcp://127.0.0.1:5570 -- mpiexec.mpich -n 4 /opt/stencil2d --size 16x16 --steps 5'
}
records
page() { curl -sf -H "Authorization: Bearer $1" "http://127.0.0.1:5571/$2"; }
read -r name scope token <$store/tokens
test "$name $scope" = 'owner page'
shows() { page "$1" api/state | grep -q stencil2d; }
shows "$token"
never page "${token}0" api/state
never su anna -c "cat $store/tokens"
never su anna -c "ls $store"
never su anna -c "ranksight runs --store $store"
ranksight runs --store $store | grep 'stencil2d.* anna '
test "$(systemctl show -p User --value ranksight)" = ranksight
never grep -q ranksight /etc/passwd

# Tokens: another of the monitoring, read at a restart; the first one stays.
other=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "prometheus metrics $other" >>$store/tokens
systemctl restart ranksight
wait_for shows "$token"
page "$other" metrics | grep -q '^ranksight_'
never page "$other" api/state
records
test "$(ranksight runs --store $store | grep -c 'stencil2d.* anna ')" = 2

# A second server of the store refuses; a crash of the first one is mended.
never ranksight serve --config /etc/ranksight/serve.toml
main=$(systemctl show -p MainPID --value ranksight)
kill -KILL "$main"
wait_for shows "$token"
test "$(systemctl show -p MainPID --value ranksight)" != "$main"
journalctl --no-pager -o cat -u ranksight >/opt/journal.txt
grep '"event":"stored"' /opt/journal.txt | grep '"user":"anna"'
never grep -F "$token" /opt/journal.txt

systemctl disable --now ranksight
test "$(systemctl show -p Result --value ranksight)" = success
DEBIAN_FRONTEND=noninteractive apt-get -q purge -y ranksight ranksight-runtime
rm -r /var/lib/private/ranksight /var/lib/ranksight /etc/ranksight
rm -r /packages
test -z "$(find / -xdev -name '*ranksight*')"
touch /opt/passed
END
cat >"$root/etc/systemd/system/steps.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=idle
ExecStart=/bin/sh /opt/steps
StandardOutput=file:/opt/steps.txt
StandardError=inherit
ExecStopPost=/bin/systemctl --no-block poweroff
[Install]
WantedBy=multi-user.target
END
ln -s ../steps.service "$root/etc/systemd/system/multi-user.target.wants/steps.service"
timeout -k 10 300 systemd-nspawn --directory="$root" --boot --register=no --keep-unit \
  --private-network --console=pipe </dev/null >booted.txt 2>&1
[ -e "$root/opt/steps.txt" ] || skip "no machine boots here: $(tail -5 booted.txt)"
[ -e "$root/opt/passed" ] || fail "$(tail -40 "$root/opt/steps.txt")"
