#!/usr/bin/env bash
# symbols.sh CALL_PATHS: call sites are named by function, file and line; they
# are the same on all ranks and in two runs; a stripped program has module and
# offset.
. "$(dirname "$0")/lib.sh"
program=$1
must_record a.trace 3 "$program"
must_record b.trace 2 "$program"

"$ranksight" show a.trace --tree --binary "$(dirname "$program")" \
  --binary "$build/lib" >tree.txt
source=$RANKSIGHT_SOURCE/tests/apps/call_paths.c
line() { grep -n "$1" "${2:-$source}" | head -1 | cut -d: -f1; }
named() {
  grep -qF "$1" tree.txt || {
    cat tree.txt >&2
    fail "no call site is named: $1"
  }
}
named "MPI_Barrier"
named "Inlined call_paths.c:$(line '  MPI_Barrier') < CallsInlinedTwice call_paths.c:$(line '^  Inlined();')"
second=$(grep -n '^  Inlined();' "$source" | tail -1 | cut -d: -f1)
named "Inlined call_paths.c:$(line '  MPI_Barrier') < CallsInlinedTwice call_paths.c:$second"
named "ManyLocals call_paths.c:$(line '  MPI_Allreduce') < ManyLocals call_paths.c:$(line '    ManyLocals(depth')"
library=$RANKSIGHT_SOURCE/tests/apps/call_paths_library.c
named "LibrarySum call_paths_library.c:$(line '  MPI_Reduce' "$library") < "
named "main call_paths.c:$(line '  MPI_Finalize')"
# A jump leaves nothing of the function that made it.
grep -F MPI_Bcast tree.txt | grep -qF "main call_paths.c:" ||
  fail "the tail call is not named by its caller"

expect_exit 4 "$ranksight" show a.trace --tree --binary no/such
grep -q 'no/such: No such file' err.txt || fail "$(cat err.txt)"

# Other commands are told by the environment where the program lies.
RANKSIGHT_BINARIES=/nowhere:$(dirname "$program") "$ranksight" stats a.trace \
  >stats.txt
grep -qF "main call_paths.c:" stats.txt || fail "stats names no call site"

# Comments of a generated program.
RANKSIGHT_BINARIES=$(dirname "$program") "$ranksight" generate a.trace --to c \
  -o made >/dev/null || fail "generate"
grep -q '^ */\* [0-9]*: main call_paths.c:[0-9]* \*/$' made/call_paths.c ||
  fail "the generated program names no call site: $(grep '/[*]' made/*.c)"

# Sites, as module and offset: each stands on all ranks, and in both runs.
sites() { "$ranksight" show "$1" --tree --json | grep -o '"site": *"[^"]*"' |
  sort; }
sites a.trace >a.txt
sites b.trace >b.txt
[ "$(wc -l <a.txt)" -ge 8 ] || fail "too few call sites"
diff a.txt b.txt >&2 || fail "call sites differ between runs"
[ "$(sort -u a.txt | wc -l)" = "$(wc -l <a.txt)" ] || fail "a site twice"
grep -q ' on ranks ' tree.txt && fail "a site is not on all ranks"

# Without symbols there is no name, and never that of another build.
mkdir stripped
strip -o "stripped/$(basename "$program")" "$program"
must_record c.trace 2 "stripped/$(basename "$program")"
"$ranksight" show c.trace --tree --binary stripped >tree.txt
grep -q 'MPI_Bcast.*@ call_paths+0x' tree.txt ||
  fail "a stripped program's sites are not module and offset"
