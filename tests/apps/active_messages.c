// Active messages, as irregular codes send them: each rank keeps persistent
// receives from any source with any tag, polls them with MPI_Testany, runs what
// the tag names, and sends what follows from the data to whoever the data
// names. Tokens go from rank to rank until they have made their hops; some
// leave notices behind, of which rank 0 hears.
//   active_messages [HOPS [WORK [TOKENS]]]
// HOPS: of each token; WORK: rounds of computation for each message; TOKENS:
// that each rank begins with. What is printed and what each
// rank calls, but for the order, is the same for the same arguments and ranks,
// however messages overtake one another.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSlots = 8, kMostWords = 256, kTags = 5 };
enum { kToken, kNotice = kTags, kHeard, kEnded, kStop };

struct Message {
  uint64_t state;
  uint64_t hops;
  uint64_t notices;  // that the token has left
  uint64_t payload[kMostWords];
};

static int rank, ranks;
static uint64_t work = 100, sum, polls;
static int to_end, stopped;
static uint64_t ended, notices;
static struct Message in[kSlots], out;
static MPI_Request slots[kSlots];

static uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static void Compute(uint64_t rounds) {
  volatile uint64_t x = 1;
  for (uint64_t i = 0; i < rounds; ++i) x = x * 6364136223846793005u + 1;
}

static void Send(uint64_t state, uint64_t hops, uint64_t left, int tag,
                 int to) {
  out.state = state;
  out.hops = hops;
  out.notices = left;
  const int words = 3 + (int)((state >> 8) % kMostWords);
  MPI_Send(&out, words, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
}

static int Other(uint64_t state) {
  return (rank + 1 + (int)(state % (uint64_t)(ranks - 1))) % ranks;
}

static void Pass(const struct Message* token) {
  const uint64_t state = Mix(token->state);
  uint64_t left = token->notices;
  sum += state;
  if (token->hops == 0) {
    Send(state, 0, left, kEnded, 0);
    return;
  }
  if (state % 4 == 0) {
    Send(state, 0, 0, kNotice, Other(state >> 16));
    ++left;
  }
  Send(state, token->hops - 1, left, (int)((state >> 40) % kTags),
       Other(state >> 20));
}

static void Handle(const struct Message* message, int tag) {
  Compute(work + message->state % (work + 1));
  if (tag < kTags) {
    Pass(message);
  } else if (tag == kNotice) {
    Send(message->state, 0, 0, kHeard, 0);
  } else if (tag == kHeard) {
    --notices;
  } else if (tag == kEnded) {
    ++ended;
    notices += message->notices;
  } else {
    stopped = 1;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const uint64_t hops = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
  if (argc > 2) work = strtoull(argv[2], NULL, 10);
  const int tokens = argc > 3 ? atoi(argv[3]) : 4;
  to_end = tokens * ranks;
  for (int i = 0; i < kSlots; ++i) {
    MPI_Recv_init(&in[i], sizeof in[i] / sizeof(uint64_t), MPI_UINT64_T,
                  MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &slots[i]);
  }
  MPI_Startall(kSlots, slots);
  const double began = MPI_Wtime();
  for (int i = 0; i < tokens; ++i) {
    const uint64_t state = Mix((uint64_t)(rank * tokens + i));
    Send(state, hops, 0, kToken, Other(state));
  }
  while (!stopped) {
    int index = 0, found = 0;
    MPI_Status status;
    MPI_Testany(kSlots, slots, &index, &found, &status);
    ++polls;
    if (!found) continue;
    Handle(&in[index], status.MPI_TAG);
    MPI_Start(&slots[index]);
    if (rank == 0 && ended == (uint64_t)to_end && notices == 0) {
      for (int to = 1; to < ranks; ++to) Send(0, 0, 0, kStop, to);
      stopped = 1;
    }
  }
  const double seconds = MPI_Wtime() - began;
  for (int i = 0; i < kSlots; ++i) {
    MPI_Cancel(&slots[i]);
    MPI_Wait(&slots[i], MPI_STATUS_IGNORE);
    MPI_Request_free(&slots[i]);
  }
  uint64_t total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    fprintf(stderr, "%.3f s, %llu polls\n", seconds, (unsigned long long)polls);
    printf("%llu\n", (unsigned long long)total);
  }
  MPI_Finalize();
  return 0;
}
