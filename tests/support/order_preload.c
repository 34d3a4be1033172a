// Preloaded library that gives MPI_Dist_graph_create's sources an order:
// upwards, or with SOURCES=down downwards. MPI leaves it open, and MPICH takes
// them as they come.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64 };

static int Up(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}
static int Down(const void* a, const void* b) { return Up(b, a); }

int PMPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[],
                           const int degrees[], const int destinations[],
                           const int weights[], MPI_Info info, int reorder,
                           MPI_Comm* graph) {
  int (*next)(MPI_Comm, int, const int*, const int*, const int*, const int*,
              MPI_Info, int, MPI_Comm*);
  *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Dist_graph_create");
  const int code = next(comm, n, sources, degrees, destinations, weights, info,
                        reorder, graph);
  if (code != MPI_SUCCESS) return code;
  int in[kMost], out[kMost], ins, outs, weighted;
  PMPI_Dist_graph_neighbors_count(*graph, &ins, &outs, &weighted);
  if (ins > kMost || outs > kMost) return code;
  PMPI_Dist_graph_neighbors(*graph, ins, in, MPI_UNWEIGHTED, outs, out,
                            MPI_UNWEIGHTED);
  const char* order = getenv("SOURCES");
  const int down = order != NULL && strcmp(order, "down") == 0;
  qsort(in, (size_t)ins, sizeof *in, down ? Down : Up);
  PMPI_Comm_free(graph);
  return PMPI_Dist_graph_create_adjacent(comm, ins, in, MPI_UNWEIGHTED, outs,
                                         out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                         graph);
}
