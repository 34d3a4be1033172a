// Stands in for the part of Blue Gene/Q's MPI library that says where ranks
// sit: preloaded. TORUS_MPI is the shape, e.g. 3x2x2; ranks run with the first
// dimension fastest, one a node, so not in the default order. 2x1x2x1x1/4: four
// ranks a node, in the default order, ABCDET. The last dimension is a mesh.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 5 };

struct Hardware {
  unsigned rank, size, ranks_per_node, core, megahertz, memory_mb, dims;
  unsigned length[kMost], coordinates[kMost], wraps[kMost];
  unsigned set_rank, set_size, set;
};

static int Shape(int* length) {
  const char* text = getenv("TORUS_MPI");
  int dims = 0, used = 0;
  while (text != NULL && dims < kMost &&
         sscanf(text, "%d%n", &length[dims], &used) == 1) {
    ++dims;
    text += used;
    if (*text == 'x') ++text;
  }
  return dims;
}

// 0 where the shape does not say it.
static int RanksPerNode(void) {
  const char* text = getenv("TORUS_MPI");
  const char* slash = text == NULL ? NULL : strchr(text, '/');
  return slash == NULL ? 0 : atoi(slash + 1);
}

int MPIX_Torus_ndims(int* dims) {
  int length[kMost];
  *dims = Shape(length);
  return 0;
}

int MPIX_Hardware(struct Hardware* hardware) {
  int length[kMost];
  const int dims = Shape(length);
  const int slots = RanksPerNode();
  *hardware = (struct Hardware){.ranks_per_node = slots > 0 ? slots : 1,
                                .dims = (unsigned)dims};
  for (int d = 0; d < dims; ++d) {
    hardware->length[d] = (unsigned)length[d];
    hardware->wraps[d] = d + 1 < dims;
  }
  return 0;
}

int MPIX_Rank2torus(int rank, int* coordinates) {
  int length[kMost];
  const int dims = Shape(length), slots = RanksPerNode();
  coordinates[dims] = slots > 0 ? rank % slots : 0;
  if (slots > 0) rank /= slots;
  for (int i = 0; i < dims; ++i) {
    const int d = slots > 0 ? dims - 1 - i : i;
    coordinates[d] = rank % length[d];
    rank /= length[d];
  }
  return rank == 0 ? 0 : 1;
}
