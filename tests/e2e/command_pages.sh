#!/usr/bin/env bash
# command_pages.sh REPOSITORY: every command has a page in docs/commands, the
# index names it, and its tables have the options that --help has, no others.
# Every format that --list offers is told how to use in docs/adapters.md.
. "$(dirname "$0")/lib.sh"
docs=$1/docs
export HOME='~'

options_of_help() {  # COMMAND...
  "$ranksight" "$@" --help |
    sed -n '/^Options:/,/^$/s/^  \(-[^ ]*\).*/\1/p' |
    tr ',' '\n' | sed 's/=.*//' | grep '^--' | grep -vx -e --help
}
subcommands_of() {  # COMMAND...
  "$ranksight" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

commands=$(subcommands_of)
[ "$(wc -w <<<"$commands")" -gt 15 ] || fail "no commands"
for command in $commands; do
  page=$docs/commands/$command.md
  [ -s "$page" ] || fail "no page for $command"
  grep -q "^| \[$command\](commands/$command.md) |" "$docs/cli.md" ||
    fail "the index lacks $command"
  {
    options_of_help "$command"
    for inner in $(subcommands_of "$command"); do
      options_of_help "$command" "$inner"
    done
  } | sort -u >help.txt
  sed -n 's/^| `\(-[^`]*\)` |.*/\1/p' "$page" | grep -o -- '--[a-z-]*' |
    sort -u >page.txt
  diff help.txt page.txt >&2 || fail "$command: --help (<) and its page (>)"
done
# Networks and places have the same names everywhere.
for command in map simulate forecast study serve; do
  for option in torus topology topology-conf dragonfly tree link-speed routing \
    map order ranks-per-node; do
    options_of_help "$command" | grep -qxe "--$option" ||
      fail "$command has no --$option"
  done
done
pages=$(find "$docs/commands" -name '*.md' | wc -l)
[ "$pages" -eq "$(wc -w <<<"$commands")" ] || fail "a page of no command"

"$ranksight" convert --list | sed -n 's/^\([a-z0-9]\+\) .*/\1/p' >formats.txt
[ "$(wc -l <formats.txt)" -gt 8 ] || fail "$(cat formats.txt)"
while read -r format; do
  grep -q -e "--\(to\|from\) $format\b" "$docs/adapters.md" ||
    fail "docs/adapters.md does not say how to use $format"
done <formats.txt
