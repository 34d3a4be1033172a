// children ASIDE: starts processes between its calls: forks that leave by
// _exit and (with ASIDE "exit") by exit, one that becomes another program, a
// shell. A constructor asks MPI before MPI_Init, a thread lives from before
// MPI_Init on, and an exit handler asks after MPI_Finalize.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void AskEarly(void) {
  int initialized = 1, version = 0, subversion = 0;
  MPI_Initialized(&initialized);
  MPI_Get_version(&version, &subversion);
  if (initialized || version < 3) _exit(9);
}

static void AskLate(void) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) _exit(8);
}

static void* Live(void* unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

static int StatusOf(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WEXITSTATUS(status);
}

static int Fork(int by_exit) {
  const pid_t child = fork();
  if (child != 0) return StatusOf(child);
  if (by_exit) exit(3);
  _exit(3);
}

static int Execute(void) {
  const pid_t child = fork();
  if (child != 0) return StatusOf(child);
  execl("/bin/sh", "sh", "-c", "exit 5", (char*)NULL);
  _exit(1);
}

int main(int argc, char** argv) {
  const int by_exit = argc > 1 && strcmp(argv[1], "exit") == 0;
  pthread_t thread;
  int rank, sum = 0, total = 0;
  pthread_mutex_lock(&gate);
  pthread_create(&thread, NULL, Live, NULL);
  // Runs after the handlers of libraries loaded before it was set.
  if (!by_exit) atexit(AskLate);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 6; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    sum += i % 2 == 0 ? Fork(by_exit) : Execute();
    MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  sum += WEXITSTATUS(system("exit 2"));
  pthread_mutex_unlock(&gate);
  pthread_join(thread, NULL);
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("children: sum %d\n", total);
  MPI_Finalize();
  return 0;
}
