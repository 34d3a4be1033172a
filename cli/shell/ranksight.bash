# Completion for bash, by what the command says of itself.
_ranksight() {
  local current=${COMP_WORDS[COMP_CWORD]} words
  COMPREPLY=()
  words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" \
    2>/dev/null)
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(cut -f 1 <<<"$words")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _ranksight ranksight
