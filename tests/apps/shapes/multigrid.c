// multigrid AXES [LEVELS [join]]: V-cycles on a periodic grid of one to three
// axes with 32 points each, or 2^LEVELS, as NAS MG exchanges its borders. At
// the level of 2^l points a side of more ranks than that has every second,
// fourth,
// ... rank take part, counted from its end; neighbours there are as far from
// each other. Axis by axis a member receives from both sides and sends to both,
// what earlier axes brought included. With "join" ranks that have a part in a
// level along an axis, and had none in the coarser one, first receive there
// from those that had, as in MG's comm3_ex.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 34 * 34 };
// Read at run time, so that no compiler takes the levels' loops apart.
static volatile int top = 5;
static int axes, ranks, side[3], place[3];
static double out[kMost], in[2][kMost];

// Ranks along the axis from one member of the level to the next.
static int Distance(int axis, int level) {
  const int apart = side[axis] >> level;
  return apart > 1 ? apart : 1;
}

static int Points(int axis, int level) {
  const int points = (1 << level) / side[axis];
  return points > 1 ? points : 1;
}

static int Neighbour(int axis, int by) {
  int rank = 0;
  for (int a = 0; a < axes; ++a) {
    const int at = a == axis ? (place[a] + by + side[a]) % side[a] : place[a];
    rank = rank * side[a] + at;
  }
  return rank;
}

static void Exchange(int level) {
  for (int a = 0; a < axes; ++a) {
    if ((place[a] + 1) % Distance(a, level) != 0) return;
  }
  for (int a = 0; a < axes; ++a) {
    const int up = Neighbour(a, Distance(a, level));
    const int down = Neighbour(a, -Distance(a, level));
    MPI_Request requests[2];
    int points = 1;
    for (int b = 0; b < axes; ++b) {
      if (b != a) points *= Points(b, level) + (b < a ? 2 : 0);
    }
    MPI_Irecv(in[0], kMost, MPI_DOUBLE, down, 2 * a, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Irecv(in[1], kMost, MPI_DOUBLE, up, 2 * a + 1, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Send(out, points, MPI_DOUBLE, up, 2 * a, MPI_COMM_WORLD);
    MPI_Send(out, points, MPI_DOUBLE, down, 2 * a + 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

static int HasPart(int axis, int level) {
  return (place[axis] + 1) % Distance(axis, level) == 0;
}

static void Join(int level) {
  for (int a = 0; a < axes; ++a) {
    const int apart = Distance(a, level);
    const int up = Neighbour(a, apart), down = Neighbour(a, -apart);
    if (HasPart(a, level) && !HasPart(a, level - 1)) {
      MPI_Request requests[2];
      MPI_Irecv(in[0], kMost, MPI_DOUBLE, down, 6 + 2 * a, MPI_COMM_WORLD,
                &requests[0]);
      MPI_Irecv(in[1], kMost, MPI_DOUBLE, up, 7 + 2 * a, MPI_COMM_WORLD,
                &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (HasPart(a, level - 1) && Distance(a, level - 1) > apart) {
      int points = 1;
      for (int b = 0; b < axes; ++b) {
        if (b != a) points *= (HasPart(b, level) ? Points(b, level) : 0) + 2;
      }
      MPI_Send(out, points, MPI_DOUBLE, up, 6 + 2 * a, MPI_COMM_WORLD);
      MPI_Send(out, points, MPI_DOUBLE, down, 7 + 2 * a, MPI_COMM_WORLD);
    }
  }
}

// A function of its own, as in programs: the loops stand in its frame.
__attribute__((noinline)) static void Cycle(int joins) {
  for (int level = top; level >= 1; --level) Exchange(level);
  for (int level = 2; level < top; ++level) {
    if (joins) Join(level);
    Exchange(level);  // residual
    Exchange(level);  // smoothed
  }
}

int main(int argc, char** argv) {
  double norm = 1, total;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  axes = argc > 1 ? atoi(argv[1]) : 0;
  if (argc > 2) top = atoi(argv[2]);
  // Points of a face on two axes: 2^LEVELS.
  if (axes < 1 || axes > 3 || top > (axes == 3 ? 5 : axes == 2 ? 10 : 30)) {
    return 2;
  }
  MPI_Dims_create(ranks, axes, side);
  for (int a = axes, left = rank; a-- > 0; left /= side[a]) {
    place[a] = left % side[a];
  }
  for (int cycle = 0; cycle < 3; ++cycle) {
    Cycle(argc > 3);
    MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("multigrid: %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
