/* Laws of one's own, from a shared library that `ranksight extrapolate
 * --plugin FILE` loads, for what no law of ranksight's explains: a neighbour
 * from a table, an amount from a partitioner.
 *
 * A library exports ranksight_laws(). Each law is a function of where a
 * parameter stands; it is tried on every trip count and parameter, as it is,
 * times a constant plus a constant, and in expressions with other
 * quantities. It is taken only where it gives all values of all inputs, and
 * passes the same held-out check as the laws found.
 *
 * A law must be a pure function: the same value for the same place, whoever
 * asks and how often, without errors that end the process. Laws that a trace
 * carries (--symbolic) are known by name, so a law that changes its values
 * needs a new name.
 * Thread-safety: laws are called from one thread. */
#ifndef RANKSIGHT_LAW_H
#define RANKSIGHT_LAW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RANKSIGHT_LAW_VERSION 1

/* The value where the law has none. Those beyond 2^40 count as none, too. */
#define RANKSIGHT_LAW_NONE INT64_MIN
/* MPI_PROC_NULL, as the value of a peer. */
#define RANKSIGHT_LAW_NULL (-(INT64_C(1) << 40) - 2)

/* Where a law is asked for its value. */
typedef struct ranksight_law_place {
  int64_t rank, ranks;
  int64_t ndims;        /* of the grid that ranks form, 1 to 4 */
  const int64_t* sides; /* of it, the slowest first */
  const int64_t* at;    /* the rank's place on it */
  /* In a loop or a list of so many; 0 and 0 elsewhere. */
  int64_t position, length;
} ranksight_law_place;

typedef struct ranksight_law {
  /* 1 to 64 letters, digits and '_'; no two laws loaded share one. */
  const char* name;
  int64_t (*value)(const ranksight_law_place* place);
} ranksight_law;

typedef struct ranksight_law_list {
  int64_t version; /* RANKSIGHT_LAW_VERSION */
  int64_t count;
  const ranksight_law* laws;
} ranksight_law_list;

/* Exported by the library. What it returns stays valid and as it is. */
const ranksight_law_list* ranksight_laws(void);

#ifdef __cplusplus
}
#endif

#endif
