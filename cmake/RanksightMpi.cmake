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
include(RanksightOtherMpi)
