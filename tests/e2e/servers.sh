#!/usr/bin/env bash
# Two side-cars never share a store or a page; what `runs` does to the store of
# one that runs is seen; a name makes no line of its log.
. "$(dirname "$0")/lib.sh"
serve_at() {  # ENDPOINT OPTION...
  expect_exit 4 timeout 600 "$ranksight" serve --listen "$@"
  [ "$(wc -l <err.txt)" = 1 ] || fail "one line: $(cat err.txt)"
}
serve() { serve_at 'tcp://127.0.0.1:*' "$@"; }
mkdir spool
start_page --listen "ipc://$folder/socket" --store store \
  --http 127.0.0.1:0 --spool spool
port=$(sed -n 's/.*page at http:..127.0.0.1:\([0-9]*\).*/\1/p' serve.err)
serve --store store
grep -q '^ranksight: store: another side-car serves this store' err.txt ||
  fail "$(cat err.txt)"
serve --store other --http "127.0.0.1:$port"
grep -q "^ranksight: cannot show the page at 127.0.0.1:$port" err.txt ||
  fail "$(cat err.txt)"
serve_at "ipc://$folder/socket" --store other
grep -q 'socket: another side-car listens there' err.txt || fail "$(cat err.txt)"

must_record run.trace 2 "$examples/stencil2d" --size 4x4 --steps 5
expect_exit 0 "$ranksight" runs import --store store run.trace
runs_seen() {
  "$ranksight" monitor --store store --once --jsonl >line.json || return 1
  grep -q "\"runs\":$1" line.json
}
seen() { runs_seen 1; }
wait_for seen || fail "an imported run: $(cat line.json)"
job=$("$ranksight" runs --store store --json | sed 's/.*"job":"\([^"]*\)".*/\1/')
expect_exit 0 "$ranksight" runs remove --store store "$job"
gone() { ! runs_seen 1; }
wait_for gone || fail "a removed run: $(cat line.json)"

# What is in the spool under a name of two lines is told on one.
printf 'no trace' >spool/$'x\nranksight: stored app\e[2J\u202e.trace'
told() { grep -q 'not a trace' serve.err; }
wait_for told || fail "$(cat serve.err)"
grep -q '^ranksight: stored' serve.err && fail "a forged line"
grep -q $'\e' serve.err && fail "an escape sequence"

chmod o+w other
serve --store other
mkdir -m 700 linked elsewhere
ln -s "$PWD/elsewhere" linked/runs
serve --store linked
