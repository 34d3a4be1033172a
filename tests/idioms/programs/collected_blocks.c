/* Blocks of a matrix are dealt to ranks in turn; each is sent to all by its
   owner, and at the end rank 0 collects all but its own, or hands them out. */
#include "tests/idioms/programs/common.h"
#include "tests/idioms/programs/forms.h"

enum { kOneTag, kTagOfOwner, kTagOfBlock };

struct collected_blocks {
  struct collected_blocks_form form;
  int rank, ranks;
  double *data;
};

struct collected_blocks *collected_blocks_start(
    const struct grid *g, const struct collected_blocks_form *form) {
  struct collected_blocks *c = calloc(1, sizeof *c);
  c->form = *form;
  c->rank = g->rank;
  c->ranks = g->ranks;
  c->data = numbers(64);
  return c;
}

static int tag_of(const struct collected_blocks *c, int block) {
  switch (c->form.tags) {
    case kTagOfOwner:
      return block / c->ranks;
    case kTagOfBlock:
      return block;
    default:
      return 3;
  }
}

static void pass(struct collected_blocks *c, int sends, int peer, int block) {
  if (sends) {
    MPI_Send(c->data, 24, MPI_DOUBLE, peer, tag_of(c, block), MPI_COMM_WORLD);
  } else {
    MPI_Recv(c->data, 24, MPI_DOUBLE, peer, tag_of(c, block), MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

void collected_blocks_step(struct collected_blocks *c, int step) {
  int b;
  (void)step;
  for (b = 0; c->form.told && b < c->form.blocks; ++b) {
    MPI_Bcast(c->data, 24, MPI_DOUBLE, b % c->ranks, MPI_COMM_WORLD);
  }
  for (b = 0; b < c->form.blocks; ++b) {
    int owner = b % c->ranks;
    if (owner == 0) continue;
    if (c->rank == 0) pass(c, c->form.back, owner, b);
    if (c->rank == owner) pass(c, !c->form.back, 0, b);
  }
}

void collected_blocks_end(struct collected_blocks *c) {
  free(c->data);
  free(c);
}
