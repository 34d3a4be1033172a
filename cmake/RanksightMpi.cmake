# MPICH by its own names where the distribution has them: the plain names may
# be another, half-installed MPI. -DMPI_C_COMPILER=... overrules this.
find_program(MPI_C_COMPILER NAMES mpicc.mpich mpicc)
find_program(MPI_CXX_COMPILER NAMES mpicxx.mpich mpicxx)
find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.mpich mpiexec)
find_package(MPI REQUIRED COMPONENTS C CXX)
# "-": none that is shared
set(RANKSIGHT_MPI_LIBRARY -)
foreach(library ${MPI_C_LIBRARIES})
  if(library MATCHES "libmpi[^/]*\\.so")
    set(RANKSIGHT_MPI_LIBRARY ${library})
    break()
  endif()
endforeach()

# Which flavour of the runtime this MPI gives: the header tells.
include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_symbol_exists(OPEN_MPI mpi.h RANKSIGHT_MPI_IS_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)
if(RANKSIGHT_MPI_IS_OPEN_MPI)
  set(RANKSIGHT_MPI_KIND openmpi)
else()
  set(RANKSIGHT_MPI_KIND mpich)
endif()

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
  find_library(RANKSIGHT_OTHER_MPI_LIBRARY NAMES mpi mpich
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
  endif()
  if(RANKSIGHT_OTHER_MPI STREQUAL RANKSIGHT_MPI_KIND)
    set(RANKSIGHT_OTHER_MPI OFF)
  endif()
endif()
