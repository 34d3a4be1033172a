# One static archive from object files and other archives.
#   cmake -DAR=ar -DOUT=lib.a -DOBJECTS="a.o;b.o" -DARCHIVES="x.a;y.a" -P ...
set(script "CREATE ${OUT}.part\n")
foreach(object ${OBJECTS})
  string(APPEND script "ADDMOD ${object}\n")
endforeach()
foreach(archive ${ARCHIVES})
  string(APPEND script "ADDLIB ${archive}\n")
endforeach()
string(APPEND script "SAVE\nEND\n")
file(WRITE ${OUT}.mri "${script}")
execute_process(COMMAND ${AR} -M INPUT_FILE ${OUT}.mri
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${OUT}.part ${OUT})
file(REMOVE ${OUT}.mri)
