/* Two models on two thirds of the ranks and on the others, joined by an
 * intercommunicator: what each rank of one has of a mesh it exchanges with
 * those of the other that have a part of the same, so many as these overlap.
 * two_models SHARE: the second on one rank in SHARE, which sums up what it has
 * and tells the first model. two_models SHARE group: each model makes its
 * communicator out of a group of its own. */
#include <mpi.h>
#include <stdlib.h>

enum { kRows = 210, kMostOthers = 64 };

static int FirstOf(int part, int parts) { return part * kRows / parts; }

static void Exchange(MPI_Comm mine, MPI_Comm between) {
  static double given[kRows], taken[kRows];
  MPI_Request requests[2 * kMostOthers];
  int me, ranks, others, open = 0;
  MPI_Comm_rank(mine, &me);
  MPI_Comm_size(mine, &ranks);
  MPI_Comm_remote_size(between, &others);
  const int begin = FirstOf(me, ranks), end = FirstOf(me + 1, ranks);
  for (int o = 0; o < others; ++o) {
    int from = FirstOf(o, others), to = FirstOf(o + 1, others);
    if (from < begin) from = begin;
    if (to > end) to = end;
    if (from >= to) continue;
    MPI_Irecv(&taken[from], to - from, MPI_DOUBLE, o, 5, between,
              &requests[open++]);
    MPI_Isend(&given[from], to - from, MPI_DOUBLE, o, 5, between,
              &requests[open++]);
  }
  MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
}

static void Tell(MPI_Comm mine, MPI_Comm between, int is_second) {
  int me;
  double sum = 1, all = 0;
  MPI_Comm_rank(mine, &me);
  if (is_second) {
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, mine);
    MPI_Bcast(&all, 1, MPI_DOUBLE, me == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
  } else {
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, between);
  }
}

int main(int argc, char **argv) {
  int me, ranks;
  MPI_Comm mine, between;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int share = argc > 1 ? atoi(argv[1]) : 0;
  int first = 2 * ranks / 3;
  if (share > 0) first = ranks - (ranks < share ? 1 : ranks / share);
  const int is_second = me >= first;
  if (argc > 2) {
    int range[1][3] = {
        {is_second ? first : 0, (is_second ? ranks : first) - 1, 1}};
    MPI_Group all, model;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &model);
    MPI_Comm_create_group(MPI_COMM_WORLD, model, 4, &mine);
    MPI_Group_free(&model);
    MPI_Group_free(&all);
  } else {
    MPI_Comm_split(MPI_COMM_WORLD, is_second, me, &mine);
  }
  MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, is_second ? 0 : first, 9,
                       &between);
  for (int step = 0; step < 8; ++step) {
    double sum = me, all;
    Exchange(mine, between);
    if (share > 0) Tell(mine, between, is_second);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, mine);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&mine);
  MPI_Finalize();
  return 0;
}
