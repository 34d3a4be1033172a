# Four Debian packages, by `cpack -G DEB` in a build with
# -DCMAKE_INSTALL_PREFIX=/usr: the command, what goes into programs, what
# programs are built with, and the Python package. Install rules without a
# component are the command's.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ranksight)
set(CPACK_PACKAGE_VENDOR Ranksight)
set(CPACK_PACKAGE_CONTACT "Ranksight <ranksight@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "Records MPI programs, forecasts how they scale, replays them")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command runtime development python)
set(same "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ranksight)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
    "Ranksight runs an MPI program on a few ranks and says what it does on
 thousands: times with intervals, the exact trace of a size that never ran,
 and a replay of that trace as real MPI.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "ranksight-runtime ${same}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "mpich | openmpi-bin")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ranksight-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Runtime of Ranksight, which goes into MPI programs
 Records the MPI calls of the program that it is loaded into, for whichever
 MPI that uses, and lets other programs read what was recorded.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libranksight-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers and static libraries of Ranksight
 For programs that link the runtime, name their regions, or read traces.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "ranksight-runtime ${same}")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ranksight)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "Traces of MPI programs as pandas frames
 Reads what Ranksight recorded, forecasts and extrapolates it, in a notebook.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3, python3-numpy, python3-pandas, ranksight (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-matplotlib)
# Programs have the libraries of the runtime loaded by name, whatever version
# they were built with, so the names have none.
set(packages ${PROJECT_BINARY_DIR}/packages)
file(WRITE ${packages}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${packages}/triggers)
file(WRITE ${packages}/ranksight-runtime
     "ranksight-runtime: package-name-doesnt-match-sonames\n"
     "ranksight-runtime: shared-library-lacks-version\n"
     # CPack writes it.
     "ranksight-runtime: maintscript-calls-ldconfig\n")
# What the command starts has its options from there, and no page of its own.
foreach(package ranksight libranksight-dev)
  file(WRITE ${packages}/${package}
       "${package}: no-manual-page [usr/bin/ranksight-*]\n")
endforeach()
# Built for another prefix than /usr, libraries are in a folder of no
# architecture, and so are their descriptions.
if(CMAKE_INSTALL_LIBDIR STREQUAL lib)
  file(APPEND ${packages}/libranksight-dev
       "libranksight-dev: pkg-config-unavailable-for-cross-compilation\n")
endif()
foreach(of "ranksight-runtime runtime" "ranksight command"
           "libranksight-dev development")
  separate_arguments(of)
  list(GET of 0 package)
  list(GET of 1 component)
  install(FILES ${packages}/${package} COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)
endforeach()

# What every Debian package has: its licence and its changes.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${packages}/changelog
     "ranksight (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
     "  * Release ${PROJECT_VERSION}.\n\n"
     " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
find_program(RANKSIGHT_GZIP gzip)
if(RANKSIGHT_GZIP)
  execute_process(COMMAND ${RANKSIGHT_GZIP} -9nf changelog
                  WORKING_DIRECTORY ${packages})
  foreach(component ${CPACK_COMPONENTS_ALL})
    string(TOUPPER ${component} upper)
    set(docs ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    install(FILES LICENSE DESTINATION ${docs} COMPONENT ${component}
            RENAME copyright)
    install(FILES ${packages}/changelog.gz
            DESTINATION ${docs} COMPONENT ${component})
  endforeach()
endif()
if(NOT RANKSIGHT_MINIMAL)
  include(RanksightTarball)
endif()
include(CPack)
