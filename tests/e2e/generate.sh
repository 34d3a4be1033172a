#!/usr/bin/env bash
# generate.sh [--no-exchange] [--whole] RANKS PROGRAM ARGS...
# A generated benchmark, compiled with the MPI compiler alone and recorded
# again, makes the calls of the program it was made from. --no-exchange: it has no
# collective that messages could stand for. --whole: none may be missing, but what
# MPI makes by itself as it made it for the program.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
exchanges=1 whole=0
while [[ $1 = --* ]]; do
  [ "$1" != --no-exchange ] || exchanges=0
  [ "$1" != --whole ] || whole=1
  shift
done
ranks=$1
shift
must_record run.trace "$ranks" "$@"
expect_exit 0 "$ranksight" generate run.trace --to c -o made
# Calls that concern one rank alone are left out and said so.
sed -n 's/.*\(MPI_[A-Za-z_]*\) is left out: it concerns.*/^\1$/p' err.txt >left_out
expect_exit 2 "$ranksight" generate run.trace --to c -o none \
  --site-scale nowhere=2
[ ! -e none ] || fail "a program without the call site that was named"
name=$(basename "$1")
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -Wall -Wextra -Werror \
  -o made/again "made/$name.c"
[ ! -s err.txt ] || fail "the compiler says $(cat err.txt)"
# It stays within its buffers.
expect_exit 0 "${RANKSIGHT_MPICC:-mpicc.mpich}" -std=c99 -g \
  -fsanitize=address -o made/checked "made/$name.c"
LD_PRELOAD=$yield_preload \
  ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 expect_exit 0 \
  "$launcher" -n "$ranks" made/checked --no-compute
# What it makes of collectives that are to be messages.
logged logs "$ranks" "$@" >/dev/null || fail "the raw log"
expect_exit 0 logged exchanged "$ranks" made/again --no-compute \
  --exchange all=p2p
grep -qE "^$ranks ranks?: [0-9]+\.[0-9]+ s\$" out.txt ||
  fail "how long did it run? $(cat out.txt)"
[ "$exchanges" = 0 ] ||
  expect_exit 0 "$here/read_exchange.py" logs exchanged
must_record again.trace "$ranks" made/again --no-compute
if [ ! -s left_out ] || [ "$whole" = 1 ]; then
  identical run.trace again.trace
  exit
fi
for ((rank = 0; rank < ranks; ++rank)); do
  events run.trace "$rank" | grep -vE "$(sed 's/\$$/( |$)/' left_out | paste -sd'|')" \
    >expected || fail "no events of rank $rank"
  events again.trace "$rank" >made.txt
  diff expected made.txt >&2 || fail "rank $rank makes other calls"
done
