# Completion for bash: commands, the options that `--help` lists, files.
_ranksight() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="--help --version $("${COMP_WORDS[0]}" --help 2>/dev/null |
      sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')"
  elif [[ $current == -* ]]; then
    words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
      sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z-]*\).*/\2/p')
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o filenames -F _ranksight ranksight
