# What an install holds: the programs, the runtime, the libraries with the
# headers of every api/ folder (the same include lines as in the tree), and
# the descriptions for CMake and pkg-config. Everything is relative to where
# it lies, so that an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/ranksight)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ranksight)

# Consumers get the runtime as the first library of their link line, wherever
# they name it: after the MPI library it would be passed over in silence, and
# --as-needed would drop it from programs that use no symbol of it, or the MPI
# library behind it from programs that call nothing else than it wraps.
function(ranksight_runtime_first file)
  target_link_options(
    ranksight_runtime INTERFACE
    "$<${file}:SHELL:-Wl,--no-as-needed \"$<TARGET_FILE:${ARGN}>\">"
  )
endfunction()
if(TARGET ranksight_runtime)
  ranksight_runtime_first(BUILD_INTERFACE ranksight_runtime)
  ranksight_runtime_first(INSTALL_INTERFACE ranksight::runtime)
  install(
    TARGETS ranksight_runtime
    EXPORT ranksight-runtime
    COMPONENT runtime
    INCLUDES
    DESTINATION ${include_dir})
  install(EXPORT ranksight-runtime NAMESPACE ranksight::
          DESTINATION ${package_dir} COMPONENT development)
endif()
get_property(flavours GLOBAL PROPERTY RANKSIGHT_RUNTIME_FLAVOURS)
install(TARGETS ${flavours} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT runtime)
install(FILES ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libranksight.a
              ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libranksight_f08.a
              ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libranksight_optional.a
        DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)

get_property(libraries GLOBAL PROPERTY RANKSIGHT_LIBRARIES)
list(REMOVE_ITEM libraries ranksight_cli_core)
if(TARGET ranksight_online_model)
  list(APPEND libraries ranksight_online_model)
endif()
install(
  TARGETS ${libraries}
  EXPORT ranksight-libraries
  COMPONENT development
  INCLUDES
  DESTINATION ${include_dir})
install(EXPORT ranksight-libraries NAMESPACE ranksight::
        DESTINATION ${package_dir} COMPONENT development)
if(TARGET ranksight_kokkos)
  install(TARGETS ranksight_kokkos DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT runtime)
endif()
foreach(tool cli replay_tool replay_tool_twin measure_tool measure_tool_twin)
  if(TARGET ranksight_${tool})
    install(TARGETS ranksight_${tool})
  endif()
endforeach()
# All of MPI is in it: of no use, and as large as the rest, for a service.
if(TARGET ranksight_replay_static)
  install(TARGETS ranksight_replay_static COMPONENT development)
endif()

foreach(folder ${folders})
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/api)
    install(
      DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/api
      DESTINATION ${include_dir}/${folder} COMPONENT development
      FILES_MATCHING
      PATTERN "*.h")
  endif()
endforeach()

# Module files belong to one compiler, so the source is installed.
install(FILES runtime/optional/ranksight.f90
        DESTINATION ${include_dir}/runtime/fortran COMPONENT development)

# Below the prefix, so that it finds the libraries there.
set(RANKSIGHT_PYTHON_DIR
    ${CMAKE_INSTALL_DATADIR}/ranksight/python
    CACHE STRING "Where the Python package goes, below the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/ranksight
        DESTINATION ${RANKSIGHT_PYTHON_DIR} COMPONENT python
        FILES_MATCHING
        PATTERN "*.py"
        PATTERN "py.typed")

# The table of calls, which reduction/api/call.h expands.
install(FILES reduction/api/calls.def
        DESTINATION ${include_dir}/reduction/api COMPONENT development)

set(templates ${PROJECT_SOURCE_DIR}/cmake/install)
get_property(RANKSIGHT_KOKKOS_FOUND GLOBAL PROPERTY RANKSIGHT_KOKKOS)
configure_package_config_file(
  ${templates}/ranksightConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ranksightConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ranksightConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ranksightConfig.cmake
              ${PROJECT_BINARY_DIR}/ranksightConfigVersion.cmake
              ${templates}/RanksightHttplib.cmake
        DESTINATION ${package_dir} COMPONENT development)

file(RELATIVE_PATH prefix_from_pc
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(pc_files ranksight ranksight-static ranksight-optional)
if(RANKSIGHT_SMPI)
  list(APPEND pc_files ranksight-smpi)
  install(FILES ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libranksight-smpi.a
          DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
foreach(pc ${pc_files})
  configure_file(${templates}/${pc}.pc.in ${PROJECT_BINARY_DIR}/${pc}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# For `module use <prefix>/share/ranksight/modulefiles`.
set(modules_dir ${CMAKE_INSTALL_DATADIR}/ranksight/modulefiles/ranksight)
file(RELATIVE_PATH prefix_from_module /${modules_dir} /)
configure_file(${templates}/modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${modules_dir}
        RENAME ${PROJECT_VERSION})
