#!/usr/bin/env bash
# Who shared a host in the recorded run is in its trace, as where the program says
# it itself: to conversions, to extrapolation, and to replays and generated
# programs, wherever their ranks are. Hosts are as MPI is made to believe.
. "$(dirname "$0")/lib.sh"
program=$apps/host_parts
on_hosts() {  # HOST:RANKS... -- COMMAND...: the command, with ranks on these
  local hosts=()
  while [ "$1" != -- ]; do
    hosts+=("$1")
    shift
  done
  shift
  printf '%s\n' "${hosts[@]}" >hosts
  HYDRA_LAUNCHER=fork HYDRA_HOST_FILE=$PWD/hosts "$@"
}
on_three() { on_hosts a:2 b:3 c:1 -- "$@"; }
on_three must_record run.trace 6 "$program"
must_be_complete run.trace
must_record said.trace 6 "$program" 4 4 7 7 7 9
# Its times are not those of the other run.
for trace in run said; do
  expect_exit 0 "$ranksight" convert $trace.trace --to goal -o goal
  sed 's/calc [0-9]*/calc/' goal >$trace.goal
done
grep -q send run.goal && cmp run.goal said.goal ||
  fail "converted otherwise than where the program says it"

# same_but_name A B: what A makes by host B makes by color.
same_but_name() {
  local rank
  for ((rank = 0; rank < 6; ++rank)); do
    events "$1" "$rank" | sed 's/^MPI_Comm_split_type /MPI_Comm_split /' >by_host
    events "$2" "$rank" >by_color
    [ -s by_color ] && diff by_host by_color >&2 || fail "rank $rank of $2"
  done
  expect_exit 0 "$ranksight" matrix "$1" -o "$1.csv"
  expect_exit 0 "$ranksight" matrix "$2" -o "$2.csv"
  cmp "$1.csv" "$2.csv" || fail "$2: other messages"
}
same_but_name run.trace said.trace
on_three replay_recorded run.trace there.trace
identical run.trace there.trace
replay_recorded run.trace here.trace
same_but_name run.trace here.trace
# As many on each host, but others.
on_hosts a:3 b:3 -- must_record halves.trace 6 "$program"
on_hosts a:1 b:3 a:2 -- replay_recorded halves.trace mixed.trace
same_but_name halves.trace mixed.trace

expect_exit 0 "$ranksight" generate run.trace --to c -o made
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again made/host_parts.c
on_three must_record there.trace 6 made/again --no-compute
identical run.trace there.trace
must_record here.trace 6 made/again --no-compute
same_but_name run.trace here.trace

# Two ranks on each host, at any number of hosts.
for ranks in 4 6 8; do
  mapfile -t two_each < <(seq "$((ranks / 2))" | sed 's/.*/h&:2/')
  on_hosts "${two_each[@]}" -- must_record "$ranks.trace" "$ranks" "$program"
done
must_extrapolate 4.trace 6.trace 8.trace --ranks 10 -o guess.trace
on_hosts h{1..5}:2 -- must_record real.trace 10 "$program"
identical guess.trace real.trace
"$build/bin/same_values" guess.trace real.trace >&2 || fail "values differ"
