// Command line of the stencil examples, read on rank 0 and broadcast.
#ifndef RANKSIGHT_EXAMPLES_COMMON_OPTIONS_H_
#define RANKSIGHT_EXAMPLES_COMMON_OPTIONS_H_

#define STENCIL_MAX_DIMS 3

struct StencilOptions {
  int steps;
  int periodic;
  int strong;  // cells are of the whole grid, not per rank
  int cells[STENCIL_MAX_DIMS];
  int dims[STENCIL_MAX_DIMS];  // process grid; 0: MPI_Dims_create chooses
  int work_ns;                 // >= 0: sleep this long instead of computing
};

// Collective. Returns 0 when every rank may go on; 1 after --help and 2
// after a wrong command line, both already reported on rank 0.
int ReadOptions(int argc, char** argv, int ndims, const int* default_cells,
                struct StencilOptions* options);

// Cells that part `index` of `parts` gets of `cells`, as even as possible,
// the larger parts first; *begin is its first cell.
int BlockSize(int cells, int parts, int index, int* begin);

void SleepNs(long ns);

#endif  // RANKSIGHT_EXAMPLES_COMMON_OPTIONS_H_
