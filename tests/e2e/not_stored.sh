#!/usr/bin/env bash
# Of a run that a side-car did not store `record` says why and where the trace
# is, on one line; the run and its exit status are as ever.
. "$(dirname "$0")/lib.sh"
program=("$launcher" -n 2 "$examples/stencil2d" --size 4x4 --steps 5)
# not_stored WHERE REASON OPTIONS...
not_stored() {
  local where=$1 reason=$2 line patience
  shift 2
  line="ranksight: not stored at $where: $reason; trace kept in run.trace"
  # Where nobody answers the whole time is waited for; what becomes of the
  # connection shows in it, on a busy machine later.
  for patience in 1 20 400; do
    rm -f run.trace
    expect_exit 0 env LD_PRELOAD="$yield_preload" "$ranksight" record \
      -o run.trace --to "$where" --patience $patience "$@" -- "${program[@]}"
    grep -qx "$line" err.txt && break
  done
  grep -qx "$line" err.txt && [ "$(wc -l <err.txt)" = 1 ] ||
    fail "not '$line' but: $(cat err.txt)"
  "$ranksight" show run.trace >show.txt || fail "show"
  grep -q '^state *complete' show.txt || fail "$(cat show.txt)"
  grep -q '^losses *not_stored: ' show.txt || fail "$(grep ^losses show.txt)"
}
# serve NAME OPTIONS...: sets $endpoint.
serve() {
  local name=$1
  shift
  "$ranksight" serve --listen 'tcp://127.0.0.1:*' --store "$name" "$@" \
    2>"$name.err" &
  background+=("$!")
  wait_for grep -qs 'listening at' "$name.err" || fail "$(cat "$name.err")"
  endpoint=$(sed -n 's/.*listening at \(tcp[^,]*\),.*/\1/p' "$name.err")
}

not_stored "ipc://$folder/nobody" 'nobody answers there'
serve full --quota 1
not_stored "$endpoint" \
  'the store is full: 0 of 1 bytes are used, [0-9]* more were asked for'
unlocked=$endpoint
for keys in server own other; do
  expect_exit 0 "$ranksight" keys new --keys "$keys"
  mv out.txt "$keys.key"
done
serve locked --keys server
not_stored "$endpoint" \
  'it broke the connection off: does it ask for keys (--server-key)?'
not_stored "$endpoint" 'it does not know our key (ranksight keys allow)' \
  --server-key "$(cat server.key)" --key own/secret.key
not_stored "$endpoint" \
  'it broke the connection off: has it that server key?' \
  --server-key "$(cat other.key)" --key own/secret.key
not_stored "$endpoint" \
  "the run's own pair of keys cannot be read (--key)" \
  --server-key "$(cat server.key)" --key absent
not_stored "$unlocked" 'it broke the connection off: has it that server key?' \
  --server-key "$(cat server.key)" --key own/secret.key

# A run that is stored says nothing; one that has no name for its trace, does.
serve store
expect_exit 0 "$ranksight" record -o run.trace --to "$endpoint" -- \
  "${program[@]}"
[ ! -s err.txt ] || fail "it is stored: $(cat err.txt)"
"$ranksight" show run.trace | grep -q '^losses *none' || fail "losses"
export RANKSIGHT_PATIENCE=1
expect_exit 0 env RANKSIGHT_TO="ipc://$folder/nobody" "$ranksight" record -- \
  "${program[@]}"
grep -q 'nobody answers there; trace kept in stencil2d.2.trace$' err.txt ||
  fail "$(cat err.txt)"
# The launcher's status stays.
expect_exit 7 "$ranksight" record -o run.trace --to "ipc://$folder/nobody" -- \
  sh -c "${program[*]}; exit 7"
grep -q 'not stored' err.txt || fail "$(cat err.txt)"
# One that did not come to its end, of which there is a trace.
rm run.trace
RANKSIGHT_EPOCH_EVENTS=40 LD_PRELOAD="$yield_preload" after_cut run.trace 3 \
  "$ranksight" record -o run.trace --to "$endpoint" -- \
  sh -c "$launcher -n 4 $apps/crash abort 1000000000 500 go; exit 9"
[ $? = 9 ] || fail "the launcher's status: $(cat out.txt err.txt)"
grep -q 'not stored at .*: the run ended before MPI_Finalize; trace' err.txt ||
  fail "$(cat err.txt)"

# What is no endpoint is found out before the program starts.
for wrong in tpc://foo tcp://foo tcp://foo:0 'tcp://*:5570' foo ipc:// ipc://@a \
  inproc://a tcp://:1; do
  expect_exit 2 "$ranksight" record --to "$wrong" -- touch ran
  grep -qF -- "--to: $wrong: " err.txt && [ ! -e ran ] || fail "$(cat err.txt)"
  expect_exit 2 env RANKSIGHT_TO="$wrong" "$ranksight" record -- touch ran
  grep -qF "RANKSIGHT_TO: $wrong: " err.txt && [ ! -e ran ] ||
    fail "$(cat err.txt)"
done
# By hand: the run is as ever, and the trace says it.
plain 2 "${program[@]:3}" >plain.out
expect_exit 0 env RANKSIGHT_TO=tpc://foo RANKSIGHT_OUTPUT=hand.trace \
  LD_PRELOAD="$runtime" "${program[@]}"
cmp plain.out out.txt && [ ! -s err.txt ] || fail "$(cat out.txt err.txt)"
"$ranksight" show hand.trace |
  grep -q '^losses *not_stored: that is no endpoint 1$' || fail "losses"
# That lacks nothing: a replay has nothing to say of it.
replay_recorded hand.trace again.trace
! grep -q not_stored replay.err || fail "$(cat replay.err)"
exit 0
