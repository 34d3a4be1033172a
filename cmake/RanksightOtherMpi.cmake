# The other MPI, where it is installed beside: the runtime and the replay tools
# are built for both, and one tree serves programs of either. Its compiler is
# asked for its folders; the header tells what kind it is.
if(RANKSIGHT_MPI_KIND STREQUAL "openmpi")
  set(other_compiler mpicc.mpich)
else()
  set(other_compiler mpicc.openmpi)
endif()
find_program(RANKSIGHT_OTHER_MPICC NAMES ${other_compiler}
             DOC "C compiler wrapper of a second MPI, or OFF")
set(RANKSIGHT_OTHER_MPI OFF)
if(RANKSIGHT_OTHER_MPICC)
  execute_process(COMMAND ${RANKSIGHT_OTHER_MPICC} -show OUTPUT_VARIABLE shown
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${shown}")
  set(includes ${words})
  list(FILTER includes INCLUDE REGEX "^-I")
  list(TRANSFORM includes REPLACE "^-I" "")
  set(folders_of_libraries ${words})
  list(FILTER folders_of_libraries INCLUDE REGEX "^-L")
  list(TRANSFORM folders_of_libraries REPLACE "^-L" "")
  find_path(RANKSIGHT_OTHER_MPI_INCLUDE mpi.h PATHS ${includes}
            NO_DEFAULT_PATH)
  # By the name that it links: where both stand in one folder the other name may
  # be a link to the first MPI's library.
  set(names ${words})
  list(FILTER names INCLUDE REGEX "^-lmpi(ch)?$")
  list(TRANSFORM names REPLACE "^-l" "")
  find_library(RANKSIGHT_OTHER_MPI_LIBRARY NAMES ${names} mpi mpich
               PATHS ${folders_of_libraries} NO_DEFAULT_PATH)
  if(RANKSIGHT_OTHER_MPI_INCLUDE AND RANKSIGHT_OTHER_MPI_LIBRARY)
    file(STRINGS ${RANKSIGHT_OTHER_MPI_INCLUDE}/mpi.h marks
         REGEX "#[ ]*define +OPEN_MPI")
    set(RANKSIGHT_OTHER_MPI mpich)
    if(marks)
      set(RANKSIGHT_OTHER_MPI openmpi)
    endif()
    add_library(ranksight_other_mpi INTERFACE)
    target_include_directories(ranksight_other_mpi SYSTEM
                               INTERFACE ${includes})
    # Open MPI's C++ classes would want a library of their own.
    target_compile_definitions(ranksight_other_mpi INTERFACE OMPI_SKIP_MPICXX)
    # For programs: with its library.
    add_library(ranksight_other_mpi_linked INTERFACE)
    target_link_libraries(
      ranksight_other_mpi_linked INTERFACE ranksight_other_mpi
                                           ${RANKSIGHT_OTHER_MPI_LIBRARY})
  endif()
  if(RANKSIGHT_OTHER_MPI STREQUAL RANKSIGHT_MPI_KIND)
    set(RANKSIGHT_OTHER_MPI OFF)
  endif()
endif()

# ranksight_add_twin(TARGET [FOLDER] [WITHOUT sources...] [LINK libraries...]): the
# same program or library once more, against the other MPI, as TARGET_twin, in
# FOLDER below bin/<mpi>. LINK: in place of the libraries of TARGET but MPI.
function(ranksight_add_twin target)
  if(RANKSIGHT_OTHER_MPI)
    ranksight_add_twin_for(${target} ${RANKSIGHT_OTHER_MPI}
                           ranksight_other_mpi_linked twin ${ARGN})
  endif()
endfunction()

# ranksight_add_twin_for(TARGET MPI LINKED SUFFIX ...): the same against whatever
# the target LINKED has, as TARGET_SUFFIX, below bin/MPI.
function(ranksight_add_twin_for target mpi linked suffix)
  cmake_parse_arguments(ARG "" "FOLDER" "WITHOUT;LINK" ${ARGN})
  get_target_property(type ${target} TYPE)
  get_target_property(sources ${target} SOURCES)
  if(ARG_WITHOUT)
    list(REMOVE_ITEM sources ${ARG_WITHOUT})
  endif()
  set(twin ${target}_${suffix})
  if(type STREQUAL "EXECUTABLE")
    add_executable(${twin} ${sources})
  elseif(type STREQUAL "STATIC_LIBRARY")
    add_library(${twin} STATIC ${sources})
    ranksight_compile_together(${twin})
  else()
    add_library(${twin} SHARED ${sources})
  endif()
  foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES
                   LINK_OPTIONS INCLUDE_DIRECTORIES)
    get_target_property(value ${target} ${property})
    if(value)
      set_target_properties(${twin} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  if(NOT DEFINED ARG_LINK)
    get_target_property(ARG_LINK ${target} LINK_LIBRARIES)
    list(FILTER ARG_LINK EXCLUDE REGEX "^MPI::")
  endif()
  target_link_libraries(${twin} PRIVATE ${linked} ${ARG_LINK})
  set_target_properties(
    ${twin}
    PROPERTIES OUTPUT_NAME ${target}
               RUNTIME_OUTPUT_DIRECTORY
               ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${mpi}/${ARG_FOLDER}
               LIBRARY_OUTPUT_DIRECTORY
               ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${mpi}
               ARCHIVE_OUTPUT_DIRECTORY
               ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/${mpi})
endfunction()

# Its Fortran, for tests: ranksight_other_mpi_fortran, where a wrapper is beside
# the one for C and Fortran is enabled. The MPI library itself comes first: a
# wrapper may leave it to the machine which one its plain name is.
function(ranksight_find_other_fortran)
  string(REPLACE mpicc mpif90 wrapper "${RANKSIGHT_OTHER_MPICC}")
  if(NOT RANKSIGHT_OTHER_MPI OR NOT CMAKE_Fortran_COMPILER OR NOT EXISTS
                                                         "${wrapper}")
    return()
  endif()
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE shown
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${shown}")
  set(includes ${words})
  list(FILTER includes INCLUDE REGEX "^-I")
  list(TRANSFORM includes REPLACE "^-I" "")
  list(FILTER words INCLUDE REGEX "^-[Ll]")
  list(REMOVE_ITEM words -lmpi -lmpich)
  get_filename_component(folder ${RANKSIGHT_OTHER_MPI_LIBRARY} DIRECTORY)
  add_library(ranksight_other_mpi_fortran INTERFACE)
  target_include_directories(ranksight_other_mpi_fortran INTERFACE ${includes})
  target_link_libraries(ranksight_other_mpi_fortran
                        INTERFACE -L${folder} ${words}
                                  ${RANKSIGHT_OTHER_MPI_LIBRARY})
endfunction()
