// Stands in for the part of Blue Gene/Q's MPI library that says where ranks
// sit: preloaded. TORUS_MPI is the shape, e.g. 3x2x2; ranks run with the first
// dimension fastest, one a node, so not in the default order. The last
// dimension is a mesh.
#include <stdio.h>
#include <stdlib.h>

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

int MPIX_Torus_ndims(int* dims) {
  int length[kMost];
  *dims = Shape(length);
  return 0;
}

int MPIX_Hardware(struct Hardware* hardware) {
  int length[kMost];
  const int dims = Shape(length);
  *hardware = (struct Hardware){.ranks_per_node = 1, .dims = (unsigned)dims};
  for (int d = 0; d < dims; ++d) {
    hardware->length[d] = (unsigned)length[d];
    hardware->wraps[d] = d + 1 < dims;
  }
  return 0;
}

int MPIX_Rank2torus(int rank, int* coordinates) {
  int length[kMost];
  const int dims = Shape(length);
  for (int d = 0; d < dims; ++d) {
    coordinates[d] = rank % length[d];
    rank /= length[d];
  }
  coordinates[dims] = 0;
  return rank == 0 ? 0 : 1;
}
