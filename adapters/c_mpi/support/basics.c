/* What a benchmark written by `ranksight generate --to c` stands on: values
 * that differ by rank or from time to time, requests, communicators, types,
 * and computation by spinning. Plain C99 and MPI-3, but for calls
 * that came with MPI-4; one rank a process. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* MPI_STATUSES_IGNORE looks like an array of size 0 to gcc. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

typedef long long number;

static int rank, ranks;
#ifdef SELF_SIZING
static const char *dims_option; /* --dims */
#endif
#ifndef BYTES_SCALE
#define BYTES_SCALE 1
#endif
#ifndef COMPUTE_SCALE
#define COMPUTE_SCALE 1
#endif
static double bytes_scale = BYTES_SCALE;
static char *out, *in; /* the buffers that messages leave from and come to */

static inline void stop(const char *why) {
  const struct timespec to_fetch_it = {0, 300000000};
  fprintf(stderr, "rank %d: %s\n", rank, why);
  nanosleep(&to_fetch_it, NULL); /* launchers may drop it otherwise */
  MPI_Abort(MPI_COMM_WORLD, 70);
  exit(70);
}

/* What all ranks find alike: no abort, which may cut off what was printed. */
static inline void refuse(const char *why) {
  if (rank == 0) fprintf(stderr, "%s\n", why);
  MPI_Finalize();
  exit(2);
}

static inline void *get_memory(size_t bytes) {
  void *memory = calloc(1, bytes > 0 ? bytes : 1);
  if (memory == NULL) stop("out of memory");
  return memory;
}
