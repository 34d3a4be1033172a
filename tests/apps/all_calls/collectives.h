#ifndef RANKSIGHT_TESTS_APPS_ALL_CALLS_COLLECTIVES_H_
#define RANKSIGHT_TESTS_APPS_ALL_CALLS_COLLECTIVES_H_

#include <mpi.h>

// Every collective on one communicator of at most 16 ranks, blocking and
// not, in place and not, with every form of insignificant argument.
long AllCollectives(MPI_Comm comm, int root);

#endif  // RANKSIGHT_TESTS_APPS_ALL_CALLS_COLLECTIVES_H_
