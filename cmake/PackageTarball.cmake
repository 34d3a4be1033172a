# What CPack reads anew for each generator: which components a tarball holds.
# Static libraries take several times the place of all that a user needs.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(name ranksight)
  if(RANKSIGHT_DEVELOPMENT)
    set(name ranksight-dev)
  else()
    list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
    set(CPACK_INSTALL_CMAKE_PROJECTS)
    foreach(component command runtime python)
      list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${build} ranksight ${component} /)
    endforeach()
  endif()
  set(CPACK_PACKAGE_FILE_NAME
      ${name}-${CPACK_PACKAGE_VERSION}-${CPACK_RANKSIGHT_SYSTEM})
endif()
