#!/usr/bin/env bash
# What `idioms` says that its programs do is what they do: one of each idiom,
# written out as C, compiled, recorded under MPI and held against the trace
# that was made without.   idioms.sh IDIOMS COMPILER [IDIOM...]
. "$(dirname "$0")/lib.sh"
idioms=$1 compiler=$2
shift 2
[ $# -gt 0 ] || mapfile -t list < <("$idioms" --list)
[ $# -gt 0 ] && list=("$@")
seed=${IDIOMS_SEED:-3}

# ranks_for FOLDER: the largest rank count of the program's up to 8.
ranks_for() {
  sed -n '1s/.*for \(.*\) ranks.*/\1/p' "$1/main.c" | tr ' ' '\n' |
    awk '$1 <= 8 { best = $1 } END { print best }'
}

# timed FOLDER: whether time decides which calls are made, or in which order.
timed() {
  [ -f "$1/consensus.c" ] || grep -q 'finish = 4' "$1/main.c"
}

# compile FOLDER: its program. Two of its files, and all that these include, are the
# same in every program, and compiled once.
compile() {
  local parts=() part
  for part in "$1"/*.c; do
    case $part in
      */grid.c | */finish.c)
        mkdir -p alike
        cp "$part" "$1/common.h" alike
        part=alike/$(cat "$part" "$1/common.h" | sha1sum | cut -c 1-40).o
        [ -e "$part" ] || "$compiler" -w -c -o "$part" alike/*.c || return 1
        rm alike/*.c
        ;;
    esac
    parts+=("$part")
  done
  "$compiler" -w -o "$1/program" "${parts[@]}"
}

for name in "${list[@]}"; do
  "$idioms" --idiom "$name" --seed $seed --to c -o "$name" || fail "writing $name"
  compile "$name" || fail "compiling $name"
  ranks=$(ranks_for "$name")
  must_record "$name.trace" "$ranks" "$name/program"
  "$idioms" --idiom "$name" --seed $seed --against "$name.trace" ||
    fail "$name on $ranks ranks is not what it was said to be"
  timed "$name" && continue
  "$idioms" --idiom "$name" --seed $seed --ranks "$ranks" -o "$name.ours.trace"
  expect_exit 0 "$ranksight" diff "$name.trace" "$name.ours.trace"
done

# Another program's trace is told apart.
"$idioms" --idiom "${list[0]}" --seed 4 --against "${list[0]}.trace" >out.txt &&
  fail "another program passes for the same"
exit 0
