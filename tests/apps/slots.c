// An exchange on an open grid as many programs write it: eight requests, those
// without a neighbour MPI_REQUEST_NULL, receives and sends in slots of their
// own.
//   slots [all|any|each|some|last] [steps]
// How they are completed: together, as they come, one after the other, several
// as they come, and the receives as they come and then the sends.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { kSides = 4, kSlots = 2 * kSides, kWords = 16 };

static int neighbours[kSides];
static double data[kSlots][kWords];

static void FindNeighbours(void) {
  int rank, ranks, dims[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  const int x = rank % dims[1], y = rank / dims[1];
  neighbours[0] = x > 0 ? rank - 1 : -1;
  neighbours[1] = x < dims[1] - 1 ? rank + 1 : -1;
  neighbours[2] = y > 0 ? rank - dims[1] : -1;
  neighbours[3] = y < dims[0] - 1 ? rank + dims[1] : -1;
}

// Returns how many were started. Sends lie in the slots below.
static int Start(MPI_Request* requests) {
  int started = 0;
  for (int i = 0; i < kSlots; ++i) requests[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < kSides; ++i) {
    if (neighbours[i] < 0) continue;
    MPI_Irecv(data[i], kWords, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD,
              &requests[kSides + i]);
    ++started;
  }
  for (int i = 0; i < kSides; ++i) {
    if (neighbours[i] < 0) continue;
    MPI_Isend(data[kSides + i], kWords, MPI_DOUBLE, neighbours[i], 0,
              MPI_COMM_WORLD, &requests[i]);
    ++started;
  }
  return started;
}

static void TakeSome(MPI_Request* requests, int left) {
  int count, indices[kSlots];
  while (left > 0) {
    MPI_Waitsome(kSlots, requests, &count, indices, MPI_STATUSES_IGNORE);
    left -= count;
  }
}

static void Complete(const char* way, MPI_Request* requests, int started) {
  int index;
  if (strcmp(way, "any") == 0) {
    for (int i = 0; i < started; ++i) {
      MPI_Waitany(kSlots, requests, &index, MPI_STATUS_IGNORE);
    }
  } else if (strcmp(way, "each") == 0) {
    for (int i = 0; i < kSlots; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  } else if (strcmp(way, "some") == 0) {
    TakeSome(requests, started);
  } else if (strcmp(way, "last") == 0) {
    for (int i = 0; i < started / 2; ++i) {
      MPI_Waitany(kSides, requests + kSides, &index, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(kSides, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Waitall(kSlots, requests, MPI_STATUSES_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* way = argc > 1 ? argv[1] : "all";
  const int steps = argc > 2 ? atoi(argv[2]) : 5;
  FindNeighbours();
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[kSlots];
    Complete(way, requests, Start(requests));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
