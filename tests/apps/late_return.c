// A wait whose requests are done with long before it comes back, while other
// threads are given their handles again: what stands in for the library's own
// function makes the others go first.
//
// The main thread waits for one request, or for two, of definite sources or of
// any; the others' receive is from any source, or one that is made by one and
// waited for by the other. Prints how many of these got a handle again.
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

// Rounds of one kind: all but the last make the call a predicted one.
enum { kRounds = 120, kKinds = 8 };

static sem_t done_with, others_done, made, waited_for;
static MPI_Request freed[2], handed;
static int hold = 0, again = 0;
static MPI_Comm mine, theirs;

// late_return_library.c
extern void (*after_wait)(void);

static void LetOthersGoFirst(void) {
  if (!hold) return;
  hold = 0;
  sem_post(&done_with);
  sem_wait(&others_done);
}

static void Receive(int source, int tag, int* value, MPI_Request* request) {
  MPI_Irecv(value, 1, MPI_INT, source, tag, theirs, request);
  for (int i = 0; i < 2; ++i) again += *request == freed[i];
  MPI_Send(&tag, 1, MPI_INT, 0, tag, theirs);
}

static void* Other(void* unused) {
  for (int kind = 0; kind < kKinds; ++kind) {
    int value;
    sem_wait(&done_with);
    if (kind & 1) {
      Receive(0, kind, &value, &handed);
      sem_post(&made);
      sem_wait(&waited_for);
    } else {
      MPI_Request request;
      Receive(MPI_ANY_SOURCE, kind, &value, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    sem_post(&others_done);
  }
  return unused;
}

static void* Third(void* unused) {
  for (int i = 0; i < kKinds / 2; ++i) {
    sem_wait(&made);
    MPI_Wait(&handed, MPI_STATUS_IGNORE);
    sem_post(&waited_for);
  }
  return unused;
}

// kind: bit 1: of any source, bit 2: two requests.
static void Exchange(int kind) {
  const int n = kind & 4 ? 2 : 1;
  for (int round = 1; round <= kRounds; ++round) {
    MPI_Request requests[2];
    int values[2];
    for (int i = 0; i < n; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, kind & 2 ? MPI_ANY_SOURCE : 0, i, mine,
                &requests[i]);
      freed[i] = requests[i];
    }
    for (int i = 0; i < n; ++i) MPI_Send(&round, 1, MPI_INT, 0, i, mine);
    hold = round == kRounds;
    if (n == 1) {
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    LetOthersGoFirst();  // where nothing stands between the program and MPI
  }
}

int main(int argc, char** argv) {
  pthread_t other, third;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_SELF, &mine);
  MPI_Comm_dup(MPI_COMM_SELF, &theirs);
  sem_t* const all[] = {&done_with, &others_done, &made, &waited_for};
  for (int i = 0; i < 4; ++i) sem_init(all[i], 0, 0);
  after_wait = LetOthersGoFirst;
  pthread_create(&other, NULL, Other, NULL);
  pthread_create(&third, NULL, Third, NULL);
  for (int kind = 0; kind < kKinds; ++kind) Exchange(kind);
  pthread_join(other, NULL);
  pthread_join(third, NULL);
  printf("late_return: %d handles came again\n", again);
  MPI_Comm_free(&mine);
  MPI_Comm_free(&theirs);
  MPI_Finalize();
  return 0;
}
