# Completion for bash: commands, the options that `--help` lists, files.
_ranksight_commands() {  # COMMAND...: those inside it
  "$@" --help 2>/dev/null |
    sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
_ranksight() {
  local current=${COMP_WORDS[COMP_CWORD]} word words inside
  local command=("${COMP_WORDS[0]}")
  COMPREPLY=()
  inside=$(_ranksight_commands "${command[@]}")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # What is to run stands behind it.
    if [ "$word" = -- ]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
    fi
    if grep -qxF -e "$word" <<<"$inside"; then
      command+=("$word")
      inside=$(_ranksight_commands "${command[@]}")
    fi
  done
  if [[ $current == -* ]]; then
    words=$("${command[@]}" --help 2>/dev/null |
      sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z-]*\).*/\2/p')
  elif [ -n "$inside" ]; then
    words=$inside
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o filenames -F _ranksight ranksight
