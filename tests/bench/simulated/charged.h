/* For C programs whose computation is to be charged (charged.c): include it
 * before anything else, -include charged.h. */
#pragma once
#include <mpi.h>

void Charge(void);

#define CHARGED(call, ...) (Charge(), call(__VA_ARGS__))
#define MPI_Init(...) CHARGED(MPI_Init, __VA_ARGS__)
#define MPI_Comm_rank(...) CHARGED(MPI_Comm_rank, __VA_ARGS__)
#define MPI_Comm_size(...) CHARGED(MPI_Comm_size, __VA_ARGS__)
#define MPI_Allreduce(...) CHARGED(MPI_Allreduce, __VA_ARGS__)
#define MPI_Alltoall(...) CHARGED(MPI_Alltoall, __VA_ARGS__)
#define MPI_Alltoallv(...) CHARGED(MPI_Alltoallv, __VA_ARGS__)
#define MPI_Barrier(...) CHARGED(MPI_Barrier, __VA_ARGS__)
#define MPI_Bcast(...) CHARGED(MPI_Bcast, __VA_ARGS__)
#define MPI_Comm_split(...) CHARGED(MPI_Comm_split, __VA_ARGS__)
#define MPI_Finalize(...) CHARGED(MPI_Finalize, __VA_ARGS__)
#define MPI_Irecv(...) CHARGED(MPI_Irecv, __VA_ARGS__)
#define MPI_Reduce(...) CHARGED(MPI_Reduce, __VA_ARGS__)
#define MPI_Send(...) CHARGED(MPI_Send, __VA_ARGS__)
#define MPI_Wait(...) CHARGED(MPI_Wait, __VA_ARGS__)
