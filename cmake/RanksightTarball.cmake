# A tarball that works wherever it is unpacked, by `cpack -G TGZ`, and with `-D
# RANKSIGHT_DEVELOPMENT=ON` one that also has what programs are built with: the
# libraries that the command needs lie in them, in <libdir>/ranksight
# (PackageLibraries). In other installs nothing lies there, and Debian packages
# have no such path.
set(libraries_dir ${CMAKE_INSTALL_LIBDIR}/ranksight)

# ranksight_finds_libraries(FOLDER TARGET...): from where it is installed.
function(ranksight_finds_libraries folder)
  file(RELATIVE_PATH to_libraries /${folder} /${libraries_dir})
  foreach(target ${ARGN})
    if(TARGET ${target})
      # CMake fills up the path of the build tree with blank folders, each of
      # which is the working directory, where it is the shorter one.
      set_target_properties(
        ${target}
        PROPERTIES BUILD_RPATH "${CMAKE_LIBRARY_OUTPUT_DIRECTORY};$ORIGIN"
                   INSTALL_RPATH "$ORIGIN/${to_libraries}")
      if(CMAKE_INSTALL_RPATH) # of who builds it, Spack for one
        set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH
                                                      ${CMAKE_INSTALL_RPATH})
      endif()
    endif()
  endforeach()
endfunction()
ranksight_finds_libraries(bin ranksight_cli ranksight_replay_tool
                          ranksight_replay_tool_twin)
get_property(flavours GLOBAL PROPERTY RANKSIGHT_RUNTIME_FLAVOURS)
ranksight_finds_libraries(${CMAKE_INSTALL_LIBDIR} ranksight_trace ${flavours})

set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
string(TOLOWER ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}
       CPACK_RANKSIGHT_SYSTEM)
set(CPACK_PROJECT_CONFIG_FILE
    ${PROJECT_SOURCE_DIR}/cmake/PackageTarball.cmake)
set(CPACK_PRE_BUILD_SCRIPTS
    ${PROJECT_SOURCE_DIR}/cmake/PackageLibraries.cmake)
set(CPACK_RANKSIGHT_LIBRARIES_DIR ${libraries_dir})
