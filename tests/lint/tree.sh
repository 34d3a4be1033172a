#!/usr/bin/env bash
# What every file of the tree must keep to.   tree.sh ROOT
set -euo pipefail
cd "$1"
bad=0
complain() { echo "$*"; bad=1; }
while read -r file; do
  lines=$(wc -l < "$file")
  [ "$lines" -le 800 ] || complain "$file: $lines lines, 800 are the limit"
done < <(git ls-files '*.h' '*.cc' '*.c' '*.py')
while read -r file; do
  grep -qE '^#pragma once|^#ifndef RANKSIGHT' "$file" ||
    complain "$file: no #pragma once"
done < <(git ls-files '*.h')
for folder in reduction bgq_support runtime online_model replay_engine \
  adapters cli tests examples python; do
  if [ ! -f "$folder/README.md" ]; then
    complain "$folder has no README.md"
  elif [ "$(wc -l < "$folder/README.md")" -gt 80 ]; then
    complain "$folder/README.md is longer than 80 lines"
  fi
done
if git grep -nE '(^|[^a-zA-Z])/(work|home|root)/' -- . ':!tests/lint'; then
  complain "a path of one machine is in the tree"
fi
# With libstdc++ 12, clang 14 (the preset fuzz) takes no view.
if git grep -nE 'std::(views|ranges::(unique|remove|search|rotate|subrange))' \
  -- '*.h' '*.cc'; then
  complain "a range that clang 14 does not compile"
fi
exit $bad
