/* Blocks of a mesh exchange their rims with all neighbours: faces, or edges
   and corners too; neighbours that are not there leave a hole among the
   requests, are sent to as MPI_PROC_NULL, or are left out. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kPacked, kNullRequests, kNullPeers };
enum { kReceivesFirst, kSideBySide, kSendsFirst, kReceivesBackwards };
enum { kMostNeighbours = 26 };

struct halo {
  struct halo_form form;
  int n, peer[kMostNeighbours], points[kMostNeighbours];
  int tag[kMostNeighbours], back[kMostNeighbours];
  double *out, *in;
};

static int is_neighbour(const struct grid *g, const int by[], int corners) {
  int moved = 0;
  for (int s = 0; s < g->sides; ++s) moved += by[s] != 0;
  return corners ? moved > 0 : moved == 1;
}

static int points_towards(const struct grid *g, const int by[], int width) {
  int points = 1;
  for (int s = 0; s < g->sides; ++s) {
    points *= by[s] != 0 ? width : block_side(g, s);
  }
  return points;
}

static void find_neighbours(const struct grid *g, struct halo *h) {
  int cells = g->sides == 1 ? 3 : g->sides == 2 ? 9 : 27;
  for (int c = 0; c < cells; ++c) {
    int by[kMostSides] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
    if (!is_neighbour(g, by, h->form.corners)) continue;
    int peer = next_by(g, by, h->form.periodic);
    if (peer == MPI_PROC_NULL && h->form.slots == kPacked) continue;
    h->peer[h->n] = peer;
    h->tag[h->n] = h->form.tags ? c : 7;
    h->back[h->n] = h->form.tags ? cells - 1 - c : 7;
    h->points[h->n] = points_towards(g, by, h->form.width);
    ++h->n;
  }
}

struct halo *halo_start(const struct grid *g, const struct halo_form *form) {
  struct halo *h = calloc(1, sizeof *h);
  h->form = *form;
  find_neighbours(g, h);
  int most = 1;
  for (int i = 0; i < h->n; ++i) {
    if (h->points[i] > most) most = h->points[i];
  }
  h->out = numbers(most);
  h->in = numbers(most * (h->n + 1));
  return h;
}

static void receive(struct halo *h, int i, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  if (h->peer[i] == MPI_PROC_NULL && h->form.slots == kNullRequests) return;
  MPI_Irecv(h->in + i * h->points[i], h->points[i], MPI_DOUBLE, h->peer[i],
            h->back[i], MPI_COMM_WORLD, request);
}

static void send(struct halo *h, int i, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  if (h->peer[i] == MPI_PROC_NULL && h->form.slots == kNullRequests) return;
  MPI_Isend(h->out, h->points[i], MPI_DOUBLE, h->peer[i], h->tag[i],
            MPI_COMM_WORLD, request);
}

void halo_step(struct halo *h, int step) {
  MPI_Request requests[2 * kMostNeighbours];
  int n = h->n;
  (void)step;
  switch (h->form.posting) {
    case kSideBySide:
      for (int i = 0; i < n; ++i) {
        receive(h, i, &requests[2 * i]);
        send(h, i, &requests[2 * i + 1]);
      }
      break;
    case kSendsFirst:
      for (int i = 0; i < n; ++i) send(h, i, &requests[i]);
      for (int i = 0; i < n; ++i) receive(h, i, &requests[n + i]);
      break;
    case kReceivesBackwards:
      for (int i = n; i-- > 0;) receive(h, i, &requests[i]);
      for (int i = 0; i < n; ++i) send(h, i, &requests[n + i]);
      break;
    default:
      for (int i = 0; i < n; ++i) receive(h, i, &requests[i]);
      for (int i = 0; i < n; ++i) send(h, i, &requests[n + i]);
  }
  finish(2 * n, requests, h->form.finish);
}

void halo_end(struct halo *h) {
  free(h->out);
  free(h->in);
  free(h);
}
