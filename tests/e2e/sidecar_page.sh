#!/usr/bin/env bash
# A side-car with keys and a page: a run with the right key is stored and
# seen by the monitor, one without is not, and a run ends as ever.
. "$(dirname "$0")/lib.sh"
expect_exit 0 "$ranksight" keys new --keys server
server_key=$(cat out.txt)
expect_exit 0 "$ranksight" keys new --keys own
expect_exit 1 "$ranksight" keys new --keys own
expect_exit 0 "$ranksight" keys allow --keys server \
  "$("$ranksight" keys show --keys own | sed -n 's/^own *//p')" me
own_key=$("$ranksight" keys show --keys own | sed -n 's/^own *//p')
expect_exit 0 "$ranksight" keys allow --keys server "$own_key"
grep -q "is allowed already, as 'me'" err.txt || fail "$(cat err.txt)"
expect_exit 1 "$ranksight" keys allow --keys server "$own_key" other
expect_exit 0 "$ranksight" keys --keys server --json
grep -q '"name":"me"' out.txt || fail "$(cat out.txt)"
expect_exit 2 "$ranksight" serve --listen 'tcp://*:0' --store store
expect_exit 2 "$ranksight" serve --listen 'tcp://127.0.0.1:*' --store store \
  --http 0.0.0.0:0
start_page --listen 'tcp://127.0.0.1:*' --keys server --store store \
  --http 127.0.0.1:0
endpoint=$(sed -n 's/.*listening at \(tcp[^,]*\),.*/\1/p' serve.err)
page=$(sed -n 's/.*page at //p' serve.err)
send() {
  LD_PRELOAD=$yield_preload "$ranksight" record -o run.trace --to "$endpoint" \
    "$@" -- "$launcher" -n 2 "$examples/stencil2d" --size 4x4 --steps 5 \
    >traced.out 2>traced.err || fail "the run: $(cat traced.err)"
}
send --patience 1
send --server-key "$server_key" --key own/secret.key
monitor() { "$ranksight" monitor "$@"; }
seen() { monitor --store store --once | grep -q '^stencil2d .*1 run)'; }
wait_for seen || fail "the monitor saw $(monitor --store store --once)"
monitor --connect "$page" --once --jsonl >line.json || fail "monitor --jsonl"
[ "$(wc -l <line.json)" = 1 ] && grep -q '"runs_stored":1' line.json ||
  fail "one line, one run: $(cat line.json)"
expect_exit 1 monitor --connect "${page%=*}=0123" --once
expect_exit 4 monitor --store none --once
expect_exit 4 monitor --store store </dev/null
timeout 600 "$ranksight" monitor --connect "$page" --jsonl | head -c 20 >/dev/null
[ "${PIPESTATUS[0]}" = 0 ] || fail "it streams to nobody"

# On a terminal.
on_terminal() {
  timeout 600 "$(dirname "$0")/on_terminal.py" "$@" >screen.txt ||
    fail "$*: $(cat screen.txt)"
}
ends() {  # STATUS WORDS...
  local status=$1
  shift
  on_terminal "$@"
  [ "$(tail -1 screen.txt)" = "$status" ] || fail "$*: $(cat -v screen.txt)"
}
cp "$examples/stencil2d" größe
"$ranksight" record -o name.trace --to "$endpoint" --server-key "$server_key" \
  --key own/secret.key -- "$launcher" -n 2 ./größe --size 4x4 --steps 5 \
  >traced.out || fail "the run with a name"
seen() { monitor --store store --once --program größe >/dev/null; }
wait_for seen || fail "no run of that name"
LC_ALL=C.UTF-8 ends 0 --until größe --leave q \
  "$ranksight" monitor --store store --program größe
grep -q größe screen.txt || fail "no name: $(cat -v screen.txt)"
ends 4 --no-input "$ranksight" monitor --store store
for signal in TERM INT; do
  ends "SIG$signal" --until stencil2d --signal "$signal" "$ranksight" monitor --store store
  grep -q $'\e\[?1049l' screen.txt || fail "the terminal is not given back"
done
