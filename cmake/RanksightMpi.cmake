# MPICH by its own names where the distribution has them: the plain names may
# be another, half-installed MPI. -DMPI_C_COMPILER=... overrules this.
find_program(MPI_C_COMPILER NAMES mpicc.mpich mpicc)
find_program(MPI_CXX_COMPILER NAMES mpicxx.mpich mpicxx)
find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.mpich mpiexec)
find_package(MPI REQUIRED COMPONENTS C CXX)
