/* crash HOW STEPS AT [FILE]: ranks pass numbers round a ring, in pairs of calls
 * and without any collective on the world; the last rank makes no call between
 * MPI_Init and MPI_Finalize. After AT of STEPS steps, and not before FILE is
 * there where one is named, rank 1 ends the way HOW says: none, abort, error (a
 * call that MPI refuses), segv, childless (a segv where children that end are
 * nobody's to wait for), kill, exit. Prints nothing that depends on who
 * watches.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end_now(const char* how) {
  if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (strcmp(how, "error") == 0) {
    MPI_Send(&how, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD);
  }
  if (strcmp(how, "childless") == 0) signal(SIGCHLD, SIG_IGN);
  if (strcmp(how, "segv") == 0 || strcmp(how, "childless") == 0) {
    raise(SIGSEGV);
  }
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "exit") == 0) exit(4);
}

int main(int argc, char** argv) {
  int rank = 0, size = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int steps = atoi(argv[2]), at = atoi(argv[3]);
  const char* file = argc > 4 ? argv[4] : NULL;
  const int ring = size - 1;
  long sum = 0;
  for (int i = 0; rank < ring && i < steps; ++i) {
    if (rank == 1 && i >= at && (file == NULL || access(file, F_OK) == 0)) {
      end_now(argv[1]);
    }
    int mine = rank + i, theirs = 0;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % ring, i % 7, &theirs, 1,
                 MPI_INT, (rank + ring - 1) % ring, i % 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += theirs;
    if (i % 10 != 0) continue;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + 1) % ring, 9, MPI_COMM_WORLD,
              &request);
    MPI_Send(&mine, 1, MPI_INT, (rank + ring - 1) % ring, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%ld\n", sum);
  MPI_Finalize();
  return 0;
}
