#!/usr/bin/env bash
# long_name.sh: a program whose name is as long as names can be leaves a trace
# like any other, under a name that begins as the program's.
. "$(dirname "$0")/lib.sh"
name=$(printf 'n%.0s' {1..255})
cp "$apps/loops" "$name"
LD_PRELOAD=$yield_preload "$ranksight" record -- "$launcher" -n 2 "./$name" \
  >out.txt 2>err.txt || { cat err.txt; fail "record"; }
traces=(nnn*.2.trace)
[ -s "${traces[0]}" ] || { cat err.txt; ls; fail "no trace"; }
"$ranksight" show "${traces[0]}" >show.txt || fail "show"
grep -q "^program *$name " show.txt || { cat show.txt; fail "other program"; }
"$ranksight" generate "${traces[0]}" --to c -o source >out.txt ||
  fail "generate"
must_record "$(printf 'm%.0s' {1..255})" 2 "$apps/loops"
