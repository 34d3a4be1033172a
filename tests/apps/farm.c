// farm [FOLDER]: rank 0 takes what the others send, as it comes, in every form
// of receiving from any source, often enough to be predicted; then all pass
// messages round. Each rank writes what its statuses say it matched to
// FOLDER/<rank>.txt, as choices prints it. How often calls are made never
// depends on who comes first.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 60, kMost = 32 };

static int rank, ranks, in[kMost], world_ranks[kMost];
static FILE* stated;
static unsigned state;

static void Note(const MPI_Status* s) {
  if (stated == NULL) return;
  fprintf(stated, "%d:%d ", world_ranks[s->MPI_SOURCE], s->MPI_TAG);
}

static int AnyTag(void) {
  state = state * 1103515245u + 12345u;
  return 100 + (int)(state / 65536u % 7u);
}

static void TakeOne(int form, MPI_Comm comm) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  switch (form) {
    case 0:
      MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      break;
    case 1:
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      Note(&status);
      MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      break;
    case 2:
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
      MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
      break;
    default:
      MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
      MPI_Wait(&request, &status);
  }
  Note(&status);
}

static void TakeAll(MPI_Comm comm) {
  MPI_Request requests[kMost];
  MPI_Status statuses[kMost];
  for (int i = 1; i < ranks; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
              &requests[i]);
  }
  MPI_Waitall(ranks - 1, requests + 1, statuses + 1);
  for (int i = 1; i < ranks; ++i) Note(&statuses[i]);
}

static void Farm(int form, MPI_Comm comm) {
  int here;
  MPI_Comm_rank(comm, &here);
  MPI_Barrier(comm);
  for (int round = 0; round < kRounds; ++round) {
    if (here != 0) {
      MPI_Send(&round, 1, MPI_INT, 0, AnyTag(), comm);
    } else if (form == 4) {
      TakeAll(comm);
    } else {
      for (int i = 1; i < ranks; ++i) TakeOne(form, comm);
    }
  }
}

// Counts that never repeat, too.
static void Round(MPI_Comm comm) {
  static char out[1000], back[1000];
  MPI_Status status;
  int here;
  MPI_Comm_rank(comm, &here);
  MPI_Barrier(comm);
  for (int i = 0; i < 5 * kRounds; ++i) {
    state = state * 1103515245u + 12345u;
    MPI_Sendrecv(out, 1 + (int)(state / 65536u % 1000u), MPI_CHAR,
                 (here + 1) % ranks, 9, back, 1000, MPI_CHAR, MPI_ANY_SOURCE, 9,
                 comm, &status);
    Note(&status);
  }
}

static void Ranks(MPI_Comm comm) {
  MPI_Group here, world;
  int all[kMost];
  for (int i = 0; i < ranks; ++i) all[i] = i;
  MPI_Comm_group(comm, &here);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(here, ranks, all, world, world_ranks);
  MPI_Group_free(&here);
  MPI_Group_free(&world);
}

int main(int argc, char** argv) {
  MPI_Comm turned;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > kMost) MPI_Abort(MPI_COMM_WORLD, 1);
  state = 17u + (unsigned)rank;
  if (argc > 1) {
    char name[1000];
    snprintf(name, sizeof name, "%s/%d.txt", argv[1], rank);
    stated = fopen(name, "w");
  }
  Ranks(MPI_COMM_WORLD);
  for (int form = 0; form < 5; ++form) Farm(form, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  Ranks(turned);
  for (int form = 0; form < 5; ++form) Farm(form, turned);
  Round(turned);
  MPI_Comm_free(&turned);
  if (stated != NULL) fclose(stated);
  MPI_Finalize();
  return 0;
}
