#!/usr/bin/env bash
# write_man_pages.sh RANKSIGHT DIR: ranksight.1 and a page for each command
# into DIR, made by help2man from what `--help` prints.
set -euo pipefail
ranksight=$(realpath "$1")
mkdir -p "$2"
cd "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Defaults below the home folder are printed with it.
export HOME='~'
version=$("$ranksight" --version)

# COMMAND: what `--help` says of each command inside it.
inside() {
  "$ranksight" "$1" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' |
    while read -r part; do
      printf '[%s %s]\n.nf\n' "$1" "$part"
      "$ranksight" "$1" "$part" --help | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
      printf '.fi\n'
    done
}

page() {  # NAME WHAT SEE_ALSO COMMAND...
  local name=$1 what=$2
  printf '[see also]\n%s\n' "$3" >"$work/also"
  [ $# -lt 4 ] || inside "$4" >>"$work/also"
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$ranksight" "${4:-}" >"$work/$name"
  chmod +x "$work/$name"
  help2man --no-info --version-string="${version/ranksight/$name}" --name="$what" \
    --include="$work/also" --output="$name.1" "$work/$name"
}

also=
while read -r command what; do
  page "ranksight-$command" "$what" ".BR ranksight (1)" "$command"
  also+=".BR ranksight-$command (1)"$'\n'
done < <("$ranksight" --help | sed -n '/^Subcommands:/,/^$/s/^  //p')
page ranksight "record MPI programs, forecast how they scale, replay them" \
  "$also"
