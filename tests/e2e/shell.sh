#!/usr/bin/env bash
# shell.sh MAN_PAGES: every command has a man page that names its options, and
# bash, zsh and fish complete commands, options and files.
. "$(dirname "$0")/lib.sh"
pages=$1
commands=$("$ranksight" --help |
  awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on {print $1}')
[ "$(wc -w <<<"$commands")" -ge 15 ] || fail "commands: $commands"
for command in $commands; do
  page=$pages/ranksight-$command.1
  [ -s "$page" ] || fail "no page for $command"
  tr -d '\\' <"$page" >page.txt
  head -n 5 page.txt | grep -qi "^.TH \"\?ranksight-$command\b" ||
    fail "$page has another name"
  # The command itself, and those inside it.
  for part in "" $("$ranksight" "$command" --help |
    awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
    for option in $("$ranksight" "$command" ${part:+"$part"} --help |
      grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
      grep -q -- "$option" page.txt || fail "$page does not name $option"
    done
  done
  grep -q "ranksight-$command" "$pages/ranksight.1" ||
    fail "ranksight.1 does not name $command"
done

. "$RANKSIGHT_SOURCE/cli/shell/ranksight.bash"
completes() {  # EXPECTED WORD...: what completing the last word gives
  local expected=$1
  shift
  COMP_WORDS=("$ranksight" "$@")
  COMP_CWORD=$#
  _ranksight
  local given
  given=$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)
  [ "$given" = "$expected" ] || fail "$*: $given"
}
# The same by the shells themselves, where they are installed.
fish_completes() {  # EXPECTED LINE
  command -v fish >/dev/null || return 0
  local given
  given=$(PATH=$(dirname "$ranksight"):$PATH HOME=$folder fish --no-config -c "
    source $RANKSIGHT_SOURCE/cli/shell/ranksight.fish
    complete -C '$2'" | cut -f 1 | sort | xargs)
  [ "$given" = "$1" ] || fail "fish, $2: $given"
}

mkdir files && cd files
touch one.trace two.trace
completes "extrapolate" ext
completes "--bytes" matrix --by
completes "--dims" extrapolate --di
completes "one.trace" show on
completes "one.trace two.trace" diff ""
completes "" show no-such
completes "measure" machine me
completes "--messages-only" machine measure --me
completes "one.trace two.trace" machine compare ""
completes "" record -- program --ou
completes "one.trace" record -- program on

fish_completes "extrapolate" "ranksight ext"
fish_completes "--bytes" "ranksight matrix --by"
fish_completes "measure" "ranksight machine me"
fish_completes "one.trace two.trace" "ranksight diff "
# zsh has no way to ask for completions: on a terminal.
if command -v zsh >/dev/null; then
  PATH=$(dirname "$ranksight"):$PATH expect_exit 0 python3 \
    "$(dirname "$0")/zsh_completes.py" "$RANKSIGHT_SOURCE/cli/shell" \
    "ranksight extrapolate" "ranksight ext" \
    "ranksight matrix --bytes" "ranksight matrix --by" \
    "ranksight machine measure" "ranksight machine me" \
    "ranksight show one.trace" "ranksight show on" \
    "ranksight record -- one.trace" "ranksight record -- on"
fi
