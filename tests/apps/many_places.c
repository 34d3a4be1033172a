// Calls from 7,500 places one behind the other, as unrolled or generated code
// makes them: a trace without a loop. Sizes follow a seed and differ by rank.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

static int rank, ranks, right, left, in[1024], out[1024];
static uint64_t step;

static uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Of what is sent by this rank, or by another one, in this step.
static int Size(int of) { return (int)(Mix(step * 64 + (uint64_t)of) % 1024); }

// Five calls, all of this line.
#define FIVE                                                                   \
  MPI_Irecv(in, Size(left), MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);   \
  MPI_Isend(out, Size(rank), MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]); \
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                               \
  MPI_Sendrecv(out, Size(rank), MPI_INT, left, (int)(step % 7), in,            \
               Size(right), MPI_INT, right, (int)(step % 7), MPI_COMM_WORLD,   \
               MPI_STATUS_IGNORE);                                             \
  MPI_Bcast(in, Size(0), MPI_INT, (int)(Mix(step) % (uint64_t)ranks),          \
            MPI_COMM_WORLD);                                                   \
  ++step;
#define FIFTY FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE
#define FIVE_HUNDRED FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY

int main(int argc, char** argv) {
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED
      FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED
          FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED FIVE_HUNDRED if (rank == 0)
              printf("many places %d\n", (int)step);
  MPI_Finalize();
  return 0;
}
