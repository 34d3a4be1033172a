# What CPack runs before it packs what was installed: a tarball gets the
# libraries that are not on every machine, a Debian package no path to them, and
# static libraries, which CPack does not strip, lose what debuggers read.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_DIRECTORY}/*.a)
if(archives)
  find_program(STRIP strip REQUIRED)
  execute_process(COMMAND ${STRIP} --strip-debug ${archives}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
  # Without it cpack makes packages that ask for no libraries, and only warns.
  find_program(SHLIBDEPS dpkg-shlibdeps REQUIRED)
  file(GLOB_RECURSE programs LIST_DIRECTORIES false
       ${CPACK_TEMPORARY_DIRECTORY}/*ranksight*)
  list(FILTER programs INCLUDE REGEX "/bin/ranksight[^/]*$|/lib[^/]*\\.so$")
  foreach(program ${programs})
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  # A build without help2man has none, and lintian asks for them.
  file(GLOB_RECURSE commands ${CPACK_TEMPORARY_DIRECTORY}/*/bin/ranksight)
  foreach(command ${commands})
    get_filename_component(folder ${command} DIRECTORY)
    file(GLOB pages ${folder}/../share/man/man1/ranksight.1*)
    if(NOT pages)
      message(
        WARNING "The package has no manual pages: they are written by help2man. "
                "Install it (scripts/install-packages all), configure and build "
                "again.")
    endif()
  endforeach()
  # Where Debian's zsh looks, which knows nothing of the usual folder.
  file(GLOB_RECURSE completions ${CPACK_TEMPORARY_DIRECTORY}/*/_ranksight)
  foreach(completion ${completions})
    get_filename_component(folder ${completion} DIRECTORY)
    get_filename_component(shell ${folder} DIRECTORY)
    file(RENAME ${folder} ${shell}/vendor-completions)
  endforeach()
  return()
endif()

# Left to the machine: the C and C++ libraries, which would be older than its
# own, and any MPI.
file(
  GET_RUNTIME_DEPENDENCIES
  RESOLVED_DEPENDENCIES_VAR needed
  UNRESOLVED_DEPENDENCIES_VAR missing
  EXECUTABLES ${CPACK_TEMPORARY_DIRECTORY}/bin/ranksight
  PRE_EXCLUDE_REGEXES
    "^(lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s)|ld-linux.*)\\.so")
if(missing)
  message(FATAL_ERROR "libraries that are not there: ${missing}")
endif()
find_program(PATCHELF patchelf REQUIRED)
set(to ${CPACK_TEMPORARY_DIRECTORY}/${CPACK_RANKSIGHT_LIBRARIES_DIR})
file(INSTALL DESTINATION ${to} TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN
     FILES ${needed})
# What they need lies beside them. The runtime opens one of them by name, and
# then no path of ours holds for what that needs.
file(GLOB libraries ${to}/*.so*)
foreach(library ${libraries})
  if(NOT IS_SYMLINK ${library})
    execute_process(COMMAND ${PATCHELF} --set-rpath "$ORIGIN" ${library}
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# Their licences, where the system says which package a library is of.
find_program(DPKG_QUERY dpkg-query)
if(DPKG_QUERY)
  foreach(library ${needed})
    get_filename_component(name ${library} NAME)
    execute_process(
      COMMAND ${DPKG_QUERY} -S "*/${name}"
      OUTPUT_VARIABLE found
      ERROR_QUIET)
    if(found MATCHES "^([^:, \n]+)")
      file(
        INSTALL
        DESTINATION
          ${CPACK_TEMPORARY_DIRECTORY}/share/doc/ranksight/libraries/${CMAKE_MATCH_1}
        TYPE FILE FOLLOW_SYMLINK_CHAIN
        FILES /usr/share/doc/${CMAKE_MATCH_1}/copyright)
    endif()
  endforeach()
endif()
