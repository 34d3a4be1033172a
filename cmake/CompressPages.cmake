# Compresses the installed man pages in ${pages} with ${gzip}, and gives programs
# that commands start the page of the command.
file(GLOB plain "${pages}/ranksight*.1")
execute_process(COMMAND ${gzip} -9nf ${plain} COMMAND_ERROR_IS_FATAL ANY)
foreach(link replay-openmpi:replay measure:machine measure-openmpi:machine)
  string(REPLACE ":" ";" link ${link})
  list(GET link 0 name)
  list(GET link 1 page)
  file(CREATE_LINK ranksight-${page}.1.gz "${pages}/ranksight-${name}.1.gz"
       SYMBOLIC)
endforeach()
