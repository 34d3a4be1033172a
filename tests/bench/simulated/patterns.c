// Communication patterns with stated computation, for runs in simulated time:
//   patterns NAME WORK_NS BYTES
// WORK_NS is the computation of one of ten steps, shared by all ranks; BYTES
// the data, shared out as the pattern has it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kSteps = 10, kBuffer = 1 << 22 };

static int rank, ranks, bytes;
static double work_ns;
static char* out;
static char* in;

#if defined(RANKSIGHT_REAL_WORK)
// Elsewhere than in simulated time: so many dependent operations, which take
// the processor about as long.
static volatile double result;
static void Work(double ns) {
  double x = result;
  for (double done = 0; done < ns; done += 2) x = x * 0.999999 + 1e-6;
  result = x;
}
#else
static void Work(double ns) {
  if (ns < 1) return;
  struct timespec t = {(time_t)(ns / 1e9), (long)ns % 1000000000L};
  nanosleep(&t, NULL);
}
#endif

static void Exchange(int to, int from, int size) {
  MPI_Sendrecv(out, size, MPI_CHAR, to, 0, in, size, MPI_CHAR, from, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void Transpose(void) {
  int block = (int)((long)bytes / ranks / ranks) + 1;
  Work(work_ns / ranks);
  MPI_Alltoall(out, block, MPI_CHAR, in, block, MPI_CHAR, MPI_COMM_WORLD);
}

// Of a matrix whose blocks lie on a square of ranks: (i, j) and (j, i).
static void Square(void) {
  int side = 1;
  while ((side + 1) * (side + 1) <= ranks) ++side;
  Work(work_ns / ranks);
  if (rank >= side * side) return;
  Exchange(rank % side * side + rank / side, rank % side * side + rank / side,
           bytes);
}

static void Ring(void) {
  for (int i = 0; i < ranks - 1; ++i) {
    Work(work_ns / ranks / ranks);
    Exchange((rank + 1) % ranks, (rank + ranks - 1) % ranks, bytes / ranks + 8);
  }
}

static void Butterfly(void) {
  Work(work_ns / ranks);
  for (int mask = 1; mask < ranks; mask *= 2) {
    Exchange(rank ^ mask, rank ^ mask, bytes);
  }
}

static void Gradient(void) {
  double sum = 0, total = 0;
  Work(work_ns / ranks);
  for (int mask = 1; mask < ranks; mask *= 2) {
    Exchange(rank ^ mask, rank ^ mask, bytes / ranks + 8);
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

static void MasterWorker(void) {
  if (rank != 0) {
    Work(work_ns / (ranks - 1));
    MPI_Send(out, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int i = 1; i < ranks; ++i) {
    MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  for (int i = 1; i < ranks; ++i) {
    MPI_Send(out, bytes, MPI_CHAR, i, 1, MPI_COMM_WORLD);
  }
}

static void ReceiveFrom(int peer) {
  MPI_Recv(in, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void SendTo(int peer) {
  MPI_Send(out, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
}

static void Sweep(void) {
  int dims[2] = {0, 0};
  MPI_Dims_create(ranks, 2, dims);
  int x = rank % dims[1], y = rank / dims[1];
  if (x > 0) ReceiveFrom(rank - 1);
  if (y > 0) ReceiveFrom(rank - dims[1]);
  Work(work_ns / ranks);
  if (x < dims[1] - 1) SendTo(rank + 1);
  if (y < dims[0] - 1) SendTo(rank + dims[1]);
}

static void Post(int peer, int size, MPI_Request* requests, int* count) {
  MPI_Irecv(in, size, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &requests[(*count)++]);
  MPI_Isend(out, size, MPI_CHAR, peer, 0, MPI_COMM_WORLD,
            &requests[(*count)++]);
}

// All 26 neighbours of a cell of a periodic box; edges are a 16th of faces,
// corners a 16th of edges.
static void Halo(void) {
  MPI_Request requests[52];
  int dims[3] = {0, 0, 0}, count = 0;
  MPI_Dims_create(ranks, 3, dims);
  const int z = rank % dims[2], y = rank / dims[2] % dims[1];
  const int x = rank / dims[2] / dims[1];
  Work(work_ns / ranks);
  for (int i = 0; i < 27; ++i) {
    const int dx = i / 9 - 1, dy = i / 3 % 3 - 1, dz = i % 3 - 1;
    const int away = abs(dx) + abs(dy) + abs(dz);
    const int peer = ((x + dx + dims[0]) % dims[0] * dims[1] +
                      (y + dy + dims[1]) % dims[1]) *
                         dims[2] +
                     (z + dz + dims[2]) % dims[2];
    if (away > 0) Post(peer, bytes >> 4 * (away - 1), requests, &count);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

// A block for each other rank, rank 0 first.
static void Everybody(void) {
  MPI_Request* requests = malloc(2 * (size_t)ranks * sizeof *requests);
  int count = 0;
  Work(work_ns / ranks);
  for (int i = 0; i < ranks; ++i) {
    if (i != rank) Post(i, bytes, requests, &count);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

// Rank 0 has all of it: parts that are worked on and come back.
static void Deal(void) {
  int part = bytes / ranks + 1;
  MPI_Scatter(out, part, MPI_CHAR, in, part, MPI_CHAR, 0, MPI_COMM_WORLD);
  Work(work_ns / ranks);
  MPI_Gather(in, part, MPI_CHAR, out, part, MPI_CHAR, 0, MPI_COMM_WORLD);
}

// Rank 0 tells all, each has a part of what comes of it.
static void Collect(void) {
  double sum = 0, total = 0;
  int part = bytes / ranks + 1;
  MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  Work(work_ns / ranks);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Gather(in, part, MPI_CHAR, out, part, MPI_CHAR, 0, MPI_COMM_WORLD);
}

// What each rank has goes to rank 0 step after step, which none waits for.
static void Report(void) {
  Work(work_ns / ranks);
  MPI_Gather(in, bytes / 64 + 1, MPI_CHAR, out, bytes / 64 + 1, MPI_CHAR, 0,
             MPI_COMM_WORLD);
}

// What rank 0 works out goes to all, step after step.
static void Tell(void) {
  if (rank == 0) Work(work_ns / 64);
  MPI_Bcast(out, bytes / 64 + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
}

// A sum at rank 0, which the others do not wait for.
static void Tally(void) {
  double sum[64] = {0}, total[64];
  Work(work_ns / ranks);
  MPI_Reduce(sum, total, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*step)(void);
} kPatterns[] = {
    {"transpose", Transpose}, {"square", Square},     {"ring", Ring},
    {"butterfly", Butterfly}, {"gradient", Gradient}, {"master", MasterWorker},
    {"sweep", Sweep},         {"halo", Halo},         {"everybody", Everybody},
    {"deal", Deal},           {"collect", Collect},   {"report", Report},
    {"tell", Tell},           {"tally", Tally}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  work_ns = argc > 2 ? atof(argv[2]) : 0;
  bytes = argc > 3 ? atoi(argv[3]) : 0;
  out = calloc(1, kBuffer);
  in = calloc(1, kBuffer);
  for (size_t i = 0; i < sizeof kPatterns / sizeof kPatterns[0]; ++i) {
    if (argc < 2 || strcmp(argv[1], kPatterns[i].name) != 0) continue;
    for (int step = 0; step < kSteps; ++step) kPatterns[i].step();
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
