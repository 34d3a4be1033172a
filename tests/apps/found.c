// Polls that find something in the end, and calls that wait for some of their
// requests: loops in which each finds the same every time, every other time, or
// as chance has it, or asks for the same window or partition. How often
// something is found does not depend on timing: one request at a time is
// active.
#include <mpi.h>
#include <stdio.h>

enum { kSlots = 3 };

static int rank, ranks;
static long sum;
static unsigned seed = 7;

static int Chance(void) {
  seed = seed * 1103515245u + 12345u;
  return (int)(seed / 65536u % kSlots);
}

// The slot that is used in a round: one and the same, in turn, by chance.
static int SlotOf(int kind, int round) {
  return kind == 0 ? 1 : kind == 1 ? round % 2 : Chance();
}

static void Send(int round) {
  const int out = rank + round;
  MPI_Send(&out, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
}

static void Receive(int* in, MPI_Request* request) {
  MPI_Irecv(in, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD,
            request);
}

static void TestOne(int round) {
  MPI_Request request;
  int in = 0, there = 0;
  Receive(&in, &request);
  Send(round);
  while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  sum += in;
}

static void Some(int how, int kind, int round) {
  MPI_Request requests[kSlots];
  int in = 0, index = MPI_UNDEFINED, there = 0, indices[kSlots];
  for (int i = 0; i < kSlots; ++i) requests[i] = MPI_REQUEST_NULL;
  Receive(&in, &requests[SlotOf(kind, round)]);
  Send(round);
  if (how == 0) {
    MPI_Waitany(kSlots, requests, &index, MPI_STATUS_IGNORE);
  } else if (how == 1) {
    MPI_Waitsome(kSlots, requests, &there, indices, MPI_STATUSES_IGNORE);
    index = indices[0];
  } else if (how == 2) {
    while (!there) {
      MPI_Testany(kSlots, requests, &index, &there, MPI_STATUS_IGNORE);
    }
  } else if (how == 3) {
    while (!there) {
      MPI_Testsome(kSlots, requests, &there, indices, MPI_STATUSES_IGNORE);
    }
    index = indices[0];
  } else {
    while (!there) {
      MPI_Testall(kSlots, requests, &there, MPI_STATUSES_IGNORE);
    }
  }
  sum += in + index % kSlots;
}

static void Probe(int round, int matched) {
  const int from = (rank + ranks - 1) % ranks;
  int in = 0, there = 0;
  MPI_Message message;
  Send(round);
  if (matched) {
    while (!there) {
      MPI_Improbe(from, 3, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
    }
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  } else {
    while (!there) {
      MPI_Iprobe(from, 3, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&in, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  sum += in;
}

static void Persistent(int rounds) {
  MPI_Request request;
  int in = 0;
  MPI_Recv_init(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD,
                &request);
  for (int round = 0; round < rounds; ++round) {
    int there = 0;
    MPI_Start(&request);
    Send(round);
    while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    sum += in;
  }
  MPI_Request_free(&request);
}

// Each partition is asked for in a round, in an order as `kind` has it, behind
// a request made in each round.
static void Partitions(int kind, int round) {
  const int from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks;
  MPI_Request requests[2];
  int in[kSlots] = {0}, out[kSlots];
  for (int i = 0; i < kSlots; ++i) out[i] = rank + round + i;
  MPI_Precv_init(in, kSlots, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[0]);
  MPI_Psend_init(out, kSlots, 1, MPI_INT, to, 4, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[1]);
  MPI_Startall(2, requests);
  MPI_Pready_range(0, kSlots - 1, requests[1]);
  const int first = SlotOf(kind, round);
  for (int i = 0; i < kSlots; ++i) {
    int there = 0;
    while (!there) {
      MPI_Parrived(requests[0], (first + i) % kSlots, &there);
    }
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < kSlots; ++i) sum += in[i];
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void Windows(int kinds, int rounds) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  MPI_Win windows[kSlots];
  MPI_Group all, from, to;
  int *memory, in = 0;
  for (int i = 0; i < kSlots; ++i) {
    MPI_Win_allocate(sizeof in, sizeof in, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &windows[i]);
  }
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_incl(all, 1, &right, &to);
  for (int i = 0; i < kinds * rounds; ++i) {
    MPI_Win window = windows[SlotOf(i / rounds, i % rounds)];
    int there = 0;
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Win_complete(window);
    while (!there) MPI_Win_test(window, &there);
  }
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  MPI_Group_free(&all);
  for (int i = 0; i < kSlots; ++i) MPI_Win_free(&windows[i]);
}

int main(int argc, char** argv) {
  enum { kRounds = 40, kHows = 5, kKinds = 3 };
  long total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < kRounds; ++round) TestOne(round);
  for (int how = 0; how < kHows; ++how) {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (int round = 0; round < kRounds; ++round) Some(how, kind, round);
    }
  }
  for (int matched = 0; matched < 2; ++matched) {
    for (int round = 0; round < kRounds; ++round) Probe(round, matched);
  }
  Persistent(kRounds);
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int round = 0; round < kRounds; ++round) Partitions(kind, round);
  }
  Windows(kKinds, kRounds);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("found: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
