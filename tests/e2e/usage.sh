#!/usr/bin/env bash
# Exit codes of wrong usage and of missing files; results on stdout alone.
. "$(dirname "$0")/lib.sh"
expect_exit 0 "$ranksight" --help
expect_exit 2 "$ranksight"
expect_exit 2 "$ranksight" no-such-command
grep -q 'command no-such-command; ranksight --help' err.txt ||
  fail "$(cat err.txt)"
for command in record study; do
  expect_exit 2 "$ranksight" "$command" ./program
  grep -q "behind --: ranksight $command -- ./program" err.txt ||
    fail "$(cat err.txt)"
done
expect_exit 2 "$ranksight" show --no-such-option
grep -q -e '--no-such-option; see ranksight show --help' err.txt ||
  fail "$(cat err.txt)"
for command in record show stats diff extrapolate forecast serve study replay
do
  expect_exit 0 "$ranksight" "$command" --help
  [ -s out.txt ] || fail "$command --help is not on stdout"
  expect_exit 2 "$ranksight" "$command" --no-such-option
  [ ! -s out.txt ] || fail "$command: complaint on stdout"
  [ -s err.txt ] || fail "$command: no complaint"
done
# Numbers that are none, and those that CLI11 would take for others.
while read -r number words; do
  # shellcheck disable=SC2086  # several words
  expect_exit 2 "$ranksight" $words
  grep -q "'$number' is no number" err.txt || fail "$words: $(cat err.txt)"
done <<EOF
nan replay some.trace --compute-scale nan
-1 replay some.trace --bytes-scale=-1
inf simulate some.trace --torus 2x2 --compute-scale inf
nan generate some.trace --to c -o program --bytes-scale nan
nan record --epoch nan -- true
0 forecast some.trace --ranks 8 --budget 0
0 map some.trace --torus 2x2 --ranks-per-node 0
-3 show some.trace --events --limit=-3
-1 serve --quota=-1
-1 replay some.trace --seed=-1
-1 replay some.trace --stall=-1
-1 simulate some.trace --torus 2x2 --seed=-1
-1 simulate some.trace --torus 2x2 --limit=-1
EOF
expect_exit 4 "$ranksight" serve --listen ipc://sock --spool none
grep -q 'none: no such folder' err.txt || fail "$(cat err.txt)"
# Options that would be passed over.
while read -r words; do
  # shellcheck disable=SC2086  # several words
  expect_exit 2 "$ranksight" $words
done <<EOF
simulate some.trace --platform some.xml --map some.map
simulate some.trace --torus 2x2 --estimate --record some.trace
simulate some.trace --torus 2x2 --estimate --vary compute-scale=1,2
simulate some.trace --platform some.xml --order ABCDET
simulate some.trace --platform some.xml --ranks-per-node 7
simulate some.trace --torus 2x2 --order ABCDET --map some.map
replay some.trace --torus 2x2
replay some.trace --order ABCDET
replay some.trace --ranks-per-node 2
replay some.trace --torus 2x2 --tune order --order ABCDET --map some.map
replay some.trace --plugin some.so
replay some.trace --check --tune order
replay some.trace --check --site-scale main
replay some.trace --check --site-scale main=-1
forecast some.trace --ranks 64 --ranks-per-node 2
record --server-key key -- true
EOF
expect_exit 2 "$build/bin/ranksight-replay" some.trace --compute-scale nan
grep -q "'nan' is no factor" err.txt || fail "$(cat err.txt)"
expect_exit 2 "$ranksight" show
expect_exit 2 "$ranksight" diff one.trace
expect_exit 2 "$ranksight" record -o run.trace
# As from a variable that is not set: the run would stay here, unseen.
expect_exit 2 "$ranksight" record -o run.trace --to '' -- touch ran
grep -q -- '--to: an endpoint is needed' err.txt || fail "$(cat err.txt)"
for command in show stats replay; do
  expect_exit 4 "$ranksight" "$command" missing.trace
  grep -q missing.trace err.txt || fail "$command does not name the file"
done
expect_exit 4 "$ranksight" diff missing.trace missing.trace
# Not found out when the run is over.
expect_exit 4 "$ranksight" record -o no/such/run.trace -- touch ran
grep -q 'no/such/run.trace: No such file' err.txt || fail "which file?"
[ ! -e ran ] || fail "the program ran for nothing"
mkdir place
for output in place /dev/full; do
  expect_exit 4 "$ranksight" record -o "$output" -- touch ran
  grep -q "$output: " err.txt && [ ! -e ran ] || fail "$(cat err.txt)"
  expect_exit 4 "$ranksight" machine measure -o "$output" --launcher touch
done
# The launcher's status is passed through.
expect_exit 7 "$ranksight" record -o run.trace -- sh -c 'exit 7'
grep -q 'no trace was written to run.trace: the program ended with 7; with' \
  err.txt || fail "no word of the trace: $(cat err.txt)"
# Nor is a trace from before taken for this run's.
echo before >old.trace
expect_exit 0 "$ranksight" record -o old.trace -- true
grep -q 'no trace was written to old.trace' err.txt || fail "an old trace"
# A program that is none of MPI's leaves no trace, wherever that would stand.
for output in "" "-o no.trace"; do
  # shellcheck disable=SC2086  # two words
  expect_exit 0 "$ranksight" record $output -- true
  grep -q 'no trace was written to .*: did the program call MPI_Init' err.txt ||
    fail "record $output: $(cat err.txt)"
done
# A launcher that sets LD_PRELOAD for its ranks takes our library out.
for words in "env LD_PRELOAD= true" "sh -c : -genv LD_PRELOAD x.so"; do
  # shellcheck disable=SC2086  # a command
  expect_exit 0 "$ranksight" record -o no.trace -- $words
  grep -q 'the command sets LD_PRELOAD for its ranks' err.txt ||
    fail "record $words: $(cat err.txt)"
done
expect_exit 0 "$ranksight" record -- sh -c 'echo >some.trace'
[ ! -s err.txt ] || fail "a trace was written: $(cat err.txt)"
# Results that nobody can read are no success.
"$ranksight" convert --list >/dev/full 2>err.txt
[ $? -eq 4 ] && grep -q 'cannot write the results' err.txt ||
  fail "a full standard output"
