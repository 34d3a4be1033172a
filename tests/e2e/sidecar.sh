#!/usr/bin/env bash
# sidecar.sh present|absent|killed|frozen
# Whatever becomes of the side-car, the run ends as it would without, and its
# trace is on disk.
. "$(dirname "$0")/lib.sh"
endpoint=ipc://$folder/socket
program=("$examples/stencil2d" --size 16x16 --steps 400)
plain 4 "${program[@]}" >plain.out || fail "the plain run"
# Nobody waits for one that is not there.
[ "$1" = present ] || export RANKSIGHT_PATIENCE=1
run_streaming() {
  LD_PRELOAD=$yield_preload "$ranksight" record -o run.trace \
    --to "$endpoint" -- "$launcher" -n 4 "$@" >traced.out 2>traced.err
}
case $1 in
  present)
    start_server store "$endpoint"
    run_streaming "${program[@]}" || fail "the run"
    stored() { find store -name '*.trace' -size +0 | grep -q .; }
    wait_for stored || fail "the side-car stored nothing"
    identical run.trace "$(find store -name '*.trace' | head -1)"
    ;;
  absent)
    run_streaming "${program[@]}" || fail "the run"
    ;;
  killed)
    program=("$apps/held" 200 go)
    touch go
    plain 4 "${program[@]}" >plain.out || fail "the plain run"
    rm go
    start_server store "$endpoint"
    RANKSIGHT_EPOCH=0.05 run_streaming "${program[@]}" &
    run=$!
    background+=("$run")
    # In the middle.
    wait_for test -s run.trace || fail "no cut of the run: $(cat traced.err)"
    kill -9 "$server"
    touch go
    wait "$run" || fail "the run did not end normally"
    ;;
  frozen)
    start_server store "$endpoint"
    kill -STOP "$server"
    mkdir spool
    RANKSIGHT_SPOOL=$PWD/spool run_streaming "${program[@]}" ||
      fail "the run"
    kill -CONT "$server"
    # It was told of nothing: the trace waits for a server that looks.
    [ -n "$(find spool -name '*.trace')" ] || fail "nothing left in the spool"
    ;;
  *) fail "unknown case $1" ;;
esac
diff plain.out traced.out >&2 || fail "output differs"
"$ranksight" show run.trace >summary.txt || fail "no readable trace"
must_record reference.trace 4 "${program[@]}"
identical run.trace reference.trace
