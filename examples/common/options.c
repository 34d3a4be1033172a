#define _POSIX_C_SOURCE 200809L
#include "common/options.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int ParseInt(const char* text, int least, int* value) {
  char* end;
  long parsed = strtol(text, &end, 10);
  if (end == text || *end != '\0' || parsed < least || parsed > INT_MAX) {
    return 0;
  }
  *value = (int)parsed;
  return 1;
}

// "32x16" into ndims positive numbers.
static int ParseShape(const char* text, int ndims, int* shape) {
  for (int d = 0; d < ndims; ++d) {
    char* end;
    long parsed = strtol(text, &end, 10);
    char expected = d + 1 < ndims ? 'x' : '\0';
    if (end == text || *end != expected || parsed < 1 || parsed > 1000000) {
      return 0;
    }
    shape[d] = (int)parsed;
    text = end + 1;
  }
  return 1;
}

static void PrintUsage(FILE* out, const char* program, int ndims) {
  const char* shape = ndims == 2 ? "NxM" : "NxMxK";
  fprintf(out,
          "usage: %s [--periodic] [--steps N] [--size %s | --global %s]\n"
          "       [--dims %s] [--work-ns N]\n"
          "  --size     cells of one rank's block (weak scaling, default)\n"
          "  --global   cells of the whole grid (strong scaling)\n"
          "  --dims     process grid instead of MPI_Dims_create's\n"
          "  --work-ns  sleep N ns a step instead of computing\n",
          program, shape, shape, ndims == 2 ? "AxB" : "AxBxC");
}

static int Parse(int argc, char** argv, int ndims,
                 struct StencilOptions* options) {
  for (int i = 1; i < argc; ++i) {
    const char* name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    int good = 1;
    if (strcmp(name, "--help") == 0) {
      PrintUsage(stdout, argv[0], ndims);
      return 1;
    }
    if (strcmp(name, "--periodic") == 0) {
      options->periodic = 1;
      continue;
    }
    ++i;
    if (strcmp(name, "--steps") == 0) {
      good = ParseInt(value, 0, &options->steps);
    } else if (strcmp(name, "--work-ns") == 0) {
      good = ParseInt(value, 0, &options->work_ns);
    } else if (strcmp(name, "--dims") == 0) {
      good = ParseShape(value, ndims, options->dims);
    } else if (strcmp(name, "--size") == 0) {
      options->strong = 0;
      good = ParseShape(value, ndims, options->cells);
    } else if (strcmp(name, "--global") == 0) {
      options->strong = 1;
      good = ParseShape(value, ndims, options->cells);
    } else {
      good = 0;
    }
    if (!good) {
      fprintf(stderr, "%s: wrong option or value: %s %s\n", argv[0], name,
              value);
      PrintUsage(stderr, argv[0], ndims);
      return 2;
    }
  }
  return 0;
}

// The process grid, and whether the cells suffice for it.
static int ChooseGrid(const char* program, int ndims,
                      struct StencilOptions* options) {
  int ranks, product = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int d = 0; d < ndims; ++d) product *= options->dims[d];
  if (product == 0) {
    for (int d = 0; d < ndims; ++d) options->dims[d] = 0;
    MPI_Dims_create(ranks, ndims, options->dims);
  } else if (product != ranks) {
    fprintf(stderr, "%s: --dims does not multiply to %d ranks\n", program,
            ranks);
    return 2;
  }
  for (int d = 0; d < ndims && options->strong; ++d) {
    if (options->cells[d] < options->dims[d]) {
      fprintf(stderr, "%s: --global has fewer cells than ranks\n", program);
      return 2;
    }
  }
  return 0;
}

int ReadOptions(int argc, char** argv, int ndims, const int* default_cells,
                struct StencilOptions* options) {
  int rank;
  int status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(options, 0, sizeof *options);
  if (rank == 0) {
    options->steps = 100;
    options->work_ns = -1;
    for (int d = 0; d < ndims; ++d) options->cells[d] = default_cells[d];
    status = Parse(argc, argv, ndims, options);
    if (status == 0) status = ChooseGrid(argv[0], ndims, options);
  }
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (status != 0) return status;
  MPI_Bcast(options, sizeof *options / sizeof(int), MPI_INT, 0, MPI_COMM_WORLD);
  return 0;
}

int BlockSize(int cells, int parts, int index, int* begin) {
  int least = cells / parts;
  int extra = cells % parts;
  *begin = index * least + (index < extra ? index : extra);
  return least + (index < extra);
}

void SleepNs(long ns) {
  struct timespec duration = {ns / 1000000000L, ns % 1000000000L};
  nanosleep(&duration, NULL);
}
