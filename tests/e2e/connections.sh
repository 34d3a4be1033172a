#!/usr/bin/env bash
# connections.sh COUNT
# COUNT connections to the side-car's socket file, its port and its page, which
# say nothing, too little or too much: runs are stored, at once or from the
# spool when the side-car is too busy to listen, and the page answers, in
# bounded memory.
. "$(dirname "$0")/lib.sh"
count=$1
# A side-car that is too busy is one that nobody waits for: the spool is.
export RANKSIGHT_PATIENCE=1
serve() {  # ENDPOINT
  start_page --listen "$1" --store store --http 127.0.0.1:0 --spool spool
}
# crowd FD WHERE...: holds connections until FD is closed.
crowd() {
  local input=$1
  shift
  "$build/bin/many_connections" "$@" <"$input" >"$input.out" &
  background+=("$!")
  wait_for grep -qs ready "$input.out" || fail "no crowd at $*"
}
stored=0
mkdir spool
for kind in ipc tcp; do
  rm -f stream page
  began=$SECONDS
  mkfifo stream page
  if [ "$kind" = ipc ]; then
    serve "ipc://$folder/socket"
    where=$folder/socket
  else
    serve 'tcp://127.0.0.1:*'
    where=$(sed -n 's/.*listening at tcp:[^,]*:\([0-9]*\),.*/\1/p' serve.err)
  fi
  endpoint=$(sed -n 's/.*listening at \([^,]*\),.*/\1/p' serve.err)
  exec 7<>stream 8<>page
  crowd stream "$where" "$count"
  crowd page "$(sed -n 's|.*page at http://[^:]*:\([0-9]*\)/.*|\1|p' serve.err)" \
    "$count" http
  for _ in 1 2 3; do
    LD_PRELOAD=$yield_preload RANKSIGHT_SPOOL=$PWD/spool "$ranksight" record \
      -o run.trace --to "$endpoint" -- "$launcher" -n 2 \
      "$examples/stencil2d" --size 4x4 --steps 5 >/dev/null 2>record.err ||
      fail "the run: $(cat record.err)"
    stored=$((stored + 1))
    in_store() { [ "$(find store/runs -name '*.trace' | wc -l)" = "$stored" ]; }
    wait_for in_store || fail "$kind: run $stored was not stored"
    "$ranksight" monitor --store store --once >monitor.txt 2>&1 ||
      fail "$kind: the page does not answer: $(cat monitor.txt)"
  done
  kill -0 "$server" || fail "$kind: the side-car is gone"
  memory=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$server/status")
  echo "$kind: $count connections, $memory KiB at most"
  # How much lies unread is a matter of how busy the machine is: 100 to 440 MB.
  [ "$memory" -lt 700000 ] || fail "$kind: $memory KiB of memory"
  # Twenty lines a second at most, and one that others are left out. A run of
  # so many seconds lies in two more of the limit's, by its two clocks.
  [ "$(wc -l <serve.err)" -lt $((21 * (SECONDS + 3 - began))) ] ||
    fail "$kind: the log fills the disk: $(wc -l <serve.err) lines"
  exec 7>&- 8>&-
  kill -TERM "$server"
  wait_for grep -q stopped serve.err || fail "$kind: does not end"
  # Until it has ended the store is its own.
  wait "$server"
done
