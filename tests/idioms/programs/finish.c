/* How programs wait for what they have begun. */
#include "tests/idioms/programs/common.h"

static void wait_any(int n, MPI_Request *requests) {
  for (int done = 0; done < n; ++done) {
    int which;
    MPI_Waitany(n, requests, &which, MPI_STATUS_IGNORE);
    if (which == MPI_UNDEFINED) break;
  }
}

static void wait_some(int n, MPI_Request *requests) {
  int *which = malloc(sizeof(int) * (size_t)(n + 1));
  for (;;) {
    int count;
    MPI_Waitsome(n, requests, &count, which, MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) break;
  }
  free(which);
}

static void test_each(int n, MPI_Request *requests) {
  for (int i = 0; i < n; ++i) {
    int flag = 0;
    while (!flag) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
  }
}

static void test_all(int n, MPI_Request *requests) {
  int flag = 0;
  while (!flag) MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE);
}

static void test_any(int n, MPI_Request *requests) {
  for (;;) {
    int flag = 0, which = 0;
    MPI_Testany(n, requests, &which, &flag, MPI_STATUS_IGNORE);
    if (flag && which == MPI_UNDEFINED) break;
  }
}

/* Round and round, those that are left. */
static void test_round(int n, MPI_Request *requests) {
  for (int left = n; left > 0;) {
    left = 0;
    for (int i = 0; i < n; ++i) {
      int flag;
      if (requests[i] == MPI_REQUEST_NULL) continue;
      MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      if (!flag) ++left;
    }
  }
}

void finish(int n, MPI_Request *requests, int style) {
  switch (style) {
    case kWaitEach:
      for (int i = 0; i < n; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case kWaitBackwards:
      for (int i = n; i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case kWaitany:
      wait_any(n, requests);
      break;
    case kWaitsome:
      wait_some(n, requests);
      break;
    case kTestEach:
      test_each(n, requests);
      break;
    case kTestall:
      test_all(n, requests);
      break;
    case kTestany:
      test_any(n, requests);
      break;
    case kTestRound:
      test_round(n, requests);
      break;
    default:
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
}
