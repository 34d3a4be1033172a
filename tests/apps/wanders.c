// wanders HOW: ranks do not stay where, or as, they were started.
//   away    each goes to a folder of its own before MPI_Init
//   gone    the same while it runs, and the folder is removed
//   closed  descriptors 0 to 2 are closed before MPI_Init
//   closes  the same while it runs, and files of its own are opened there,
//   which
//           are told apart at the end by what lies in them
//   crash   as away, and the last rank is killed by a signal
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank;

static void GoAway(const char* name) {
  char folder[32];
  snprintf(folder, sizeof folder, "%s.%d", name, rank);
  if (mkdir(folder, 0777) != 0 || chdir(folder) != 0) _exit(9);
}

static void CloseStreams(void) {
  for (int fd = 0; fd < 3; ++fd) close(fd);
}

static void Work(void) {
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  const int away = strcmp(how, "away") == 0 || strcmp(how, "crash") == 0;
  const int closes = strcmp(how, "closes") == 0;
  rank = (int)getpid();
  if (away) GoAway("away");
  if (strcmp(how, "closed") == 0) CloseStreams();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Work();
  if (strcmp(how, "gone") == 0) {
    GoAway("gone");
    char path[64];
    snprintf(path, sizeof path, "../gone.%d", rank);
    if (rmdir(path) != 0) return 9;
  }
  char name[32];
  snprintf(name, sizeof name, "opened.%d", rank);
  if (closes) {
    CloseStreams();
    for (int fd = 0; fd < 2; ++fd) {
      if (open(name, O_CREAT | O_RDWR | O_APPEND, 0666) != fd) return 9;
    }
    if (write(1, "mine\n", 5) != 5) return 9;
  }
  Work();
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(how, "crash") == 0 && rank == size - 1) raise(SIGSEGV);
  MPI_Finalize();
  if (closes && write(1, "mine\n", 5) != 5) return 9;
  return 0;
}
