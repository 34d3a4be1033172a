// Receives and probes that ask for any source or any tag, in every form;
// cancelled, freed, inactive and null requests. Each rank prints what its
// statuses say it matched, in the order of the calls that said so, as
// "rank R SOURCE:TAG ...", sources as ranks of the world. How often calls are
// made never depends on who comes first.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kMost = 32 };

static int rank, ranks, out = 1, in[kMost];
static char text[1 << 16];

static void Note(const MPI_Status* s, MPI_Comm comm) {
  MPI_Group here, world;
  int source = s->MPI_SOURCE;
  char word[32];
  MPI_Comm_group(comm, &here);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(here, 1, &s->MPI_SOURCE, world, &source);
  MPI_Group_free(&here);
  MPI_Group_free(&world);
  snprintf(word, sizeof word, " %d:%d", source, s->MPI_TAG);
  strcat(text, word);
}

static void NoteNone(void) { strcat(text, " none"); }

// Everybody sends rank 0 a message; it takes them as they come.
static void Send(int tag, MPI_Comm comm) {
  MPI_Send(&out, 1, MPI_INT, 0, tag, comm);
}

static void Blocking(void) {
  MPI_Status status;
  if (rank != 0) {
    for (int i = 0; i < 3; ++i) Send(i, MPI_COMM_WORLD);
    return;
  }
  for (int i = 0; i < 2 * (ranks - 1); ++i) {
    MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, i < ranks - 1 ? 0 : 1,
             MPI_COMM_WORLD, &status);
    Note(&status, MPI_COMM_WORLD);
  }
  for (int r = 1; r < ranks; ++r) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    Note(&status, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    Note(&status, MPI_COMM_WORLD);
  }
}

// In a communicator with the ranks the other way round.
static void Requests(MPI_Comm comm) {
  MPI_Request requests[kMost];
  MPI_Status statuses[kMost];
  int here, index, done;
  MPI_Comm_rank(comm, &here);
  for (int form = 0; form < 4; ++form) {
    if (here != 0) {
      Send(form, comm);
      continue;
    }
    for (int i = 1; i < ranks; ++i) {
      MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, form, comm, &requests[i]);
    }
    requests[0] = MPI_REQUEST_NULL;
    switch (form) {
      case 0:
        MPI_Waitall(ranks, requests, statuses);
        for (int i = 1; i < ranks; ++i) Note(&statuses[i], comm);
        break;
      case 1:
        for (int i = 1; i < ranks; ++i) {
          MPI_Waitany(ranks, requests, &index, statuses);
          Note(statuses, comm);
        }
        break;
      case 2:
        for (int i = 1; i < ranks; ++i) {
          for (done = 0; done == 0;) MPI_Test(&requests[i], &done, statuses);
          Note(statuses, comm);
        }
        break;
      default:
        for (int i = 1; i < ranks; ++i) {
          do {
            MPI_Testsome(1, &requests[i], &done, &index, statuses);
          } while (done == 0);
          Note(statuses, comm);
        }
    }
  }
}

// Who wants no status gets what it asked for all the same.
static void Ignored(void) {
  MPI_Request requests[2];
  MPI_Status status = {.MPI_SOURCE = 1, .MPI_TAG = 40};
  int flag = 0;
  if (ranks < 2 || rank > 1) return;
  if (rank == 1) {
    for (int i = 0; i < 5; ++i) Send(40, MPI_COMM_WORLD);
    return;
  }
  MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, requests);
  MPI_Irecv(in, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, requests + 1);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, requests);
  while (!flag) MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 5; ++i) Note(&status, MPI_COMM_WORLD);
}

static void Matched(void) {
  MPI_Message message;
  MPI_Request request, send;
  MPI_Status status;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int found = 0;
  MPI_Isend(&out, 1, MPI_INT, right, 50, MPI_COMM_WORLD, &send);
  MPI_Mprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &message, &status);
  Note(&status, MPI_COMM_WORLD);
  MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Isend(&out, 1, MPI_INT, right, 51, MPI_COMM_WORLD, &send);
  while (!found) {
    MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
  }
  Note(&status, MPI_COMM_WORLD);
  MPI_Imrecv(in, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Sendrecv(&out, 1, MPI_INT, right, 52, in, 1, MPI_INT, MPI_ANY_SOURCE, 52,
               MPI_COMM_WORLD, &status);
  Note(&status, MPI_COMM_WORLD);
}

static void Persistent(void) {
  MPI_Request request, send;
  MPI_Status status;
  const int right = (rank + 1) % ranks;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Recv_init(in, 1, MPI_INT, MPI_ANY_SOURCE, 60, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);  // not active yet
  NoteNone();
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&request);
    MPI_Isend(&out, 1, MPI_INT, right, 60, MPI_COMM_WORLD, &send);
    MPI_Wait(&request, &status);
    Note(&status, MPI_COMM_WORLD);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&request);
}

// Requests that end in other ways: nothing is matched.
static void Endings(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 70, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  NoteNone();
  MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD,
            &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 71, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, (rank + 1) % ranks, 71, MPI_COMM_WORLD);
  MPI_Request_free(&request);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Of what MPI_Isendrecv receives MPICH 4.0.2 says nothing: its status is that
// of rank 0 and tag 0, whoever sent.
static void SendAndReceive(void) {
#if MPI_VERSION >= 4 && defined(MPICH_VERSION)
  const int right = (rank + 1) % ranks;
  for (int i = 0; i < 6; ++i) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Isendrecv(&out, 1, MPI_INT, right, 20, in, 1, MPI_INT, MPI_ANY_SOURCE,
                  20, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], i % 2 ? MPI_STATUS_IGNORE : statuses);
    NoteNone();
    MPI_Isendrecv_replace(in, 1, MPI_INT, right, 21, MPI_ANY_SOURCE,
                          MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 22, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Send(&out, 1, MPI_INT, right, 22, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, statuses);
    NoteNone();
    Note(&statuses[1], MPI_COMM_WORLD);
  }
#endif
}

int main(int argc, char** argv) {
  MPI_Comm turned;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(text, sizeof text, "rank %d", rank);
  Blocking();
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  Requests(turned);
  MPI_Comm_free(&turned);
  Ignored();
  Matched();
  Persistent();
  Endings();
  SendAndReceive();
  // At once, so that lines of several ranks do not mix.
  strcat(text, "\n");
  const ssize_t written = write(STDOUT_FILENO, text, strlen(text));
  MPI_Finalize();
  return written < 0;
}
