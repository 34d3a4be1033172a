# Completion for fish, by what the command says of itself.
function __ranksight_words
    set -l words (commandline -opc)
    command $words[1] --complete $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c ranksight -n 'test -n "$(__ranksight_words)"' -f -a '(__ranksight_words)'
