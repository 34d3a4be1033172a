#!/usr/bin/env bash
# hosts.sh EVENTS PROGRAM ARGS...: on six ranks of three hosts, as MPI is made
# to believe, merging goes over hosts and gives what it gives on one host, at
# the end as well as with a cut every EVENTS calls.
. "$(dirname "$0")/lib.sh"
events=$1
shift
must_record one.trace 6 "$@"
printf '%s\n' a:2 b:3 c:1 >hosts
export HYDRA_LAUNCHER=fork HYDRA_HOST_FILE=$PWD/hosts
must_record whole.trace 6 "$@"
RANKSIGHT_EPOCH_EVENTS=$events must_record cut.trace 6 "$@"
for trace in whole cut; do
  identical one.trace $trace.trace
  must_be_complete $trace.trace
  grep -q '^first host *2 ranks' show.txt || { cat show.txt; fail "no hosts"; }
done
grep -q '^epochs *[1-9]' show.txt || { cat show.txt; fail "no epoch"; }
