/* Neighbourhood collectives on a graph that each rank gives its part of; around
   a side of two ranks a neighbour is named twice, or once. In the order of
   directions or, as a set has them, of ranks. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

struct graph_neighbours {
  MPI_Comm graph;
  int n, counts[9], offsets[9];
  double *out, *in;
};

static int is_known(const struct graph_neighbours *x, const int peers[],
                    int peer) {
  for (int k = 0; k < x->n; ++k) {
    if (peers[k] == peer) return 1;
  }
  return 0;
}

/* What goes to a neighbour: the face of the own block, or as much to each. */
static int amount_for(const struct grid *g, const int by[], int faces) {
  if (!faces) return 16;
  if (by[0] != 0 && by[1] != 0) return 1;
  return face(g, by[0] != 0 ? 0 : 1, 0);
}

/* Where a neighbour stands among the n known ones. */
static int place_for(const int peers[], int n, int peer, int sorted) {
  int at = n;
  while (sorted && at > 0 && peers[at - 1] > peer) --at;
  return at;
}

struct graph_neighbours *graph_neighbours_start(
    const struct grid *g, const struct graph_neighbours_form *form) {
  struct graph_neighbours *x = calloc(1, sizeof *x);
  int peers[9], sum = 0, cells = g->sides == 1 ? 3 : 9;
  for (int c = 0; c < cells; ++c) {
    int by[kMostSides] = {c % 3 - 1, c / 3 - 1, 0};
    int peer = next_by(g, by, form->periodic);
    if (peer == MPI_PROC_NULL || peer == g->rank) continue;
    if (!form->corners && by[0] != 0 && by[1] != 0) continue;
    if (form->once && is_known(x, peers, peer)) continue;
    int at = place_for(peers, x->n, peer, form->sorted);
    for (int k = x->n; k > at; --k) {
      peers[k] = peers[k - 1];
      x->counts[k] = x->counts[k - 1];
    }
    peers[at] = peer;
    x->counts[at] = amount_for(g, by, form->faces);
    ++x->n;
  }
  for (int k = 0; k < x->n; ++k) {
    x->offsets[k] = sum;
    sum += x->counts[k];
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, x->n, peers, MPI_UNWEIGHTED,
                                 x->n, peers, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &x->graph);
  x->out = numbers(sum);
  x->in = numbers(sum);
  return x;
}

void graph_neighbours_step(struct graph_neighbours *x, int step) {
  (void)step;
  MPI_Neighbor_alltoallv(x->out, x->counts, x->offsets, MPI_DOUBLE, x->in,
                         x->counts, x->offsets, MPI_DOUBLE, x->graph);
}

void graph_neighbours_end(struct graph_neighbours *x) {
  MPI_Comm_free(&x->graph);
  free(x->out);
  free(x->in);
  free(x);
}
