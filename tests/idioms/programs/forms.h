/* The form of each idiom and its three functions, from idioms.def. In programs
   that are written out this stands in full. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "tests/idioms/programs/common.h"

#define FIELD(name, least, most) int name;
#define IDIOM(name, need, fields)                            \
  struct name##_form {                                       \
    fields int unused;                                       \
  };                                                         \
  struct name;                                               \
  struct name *name##_start(const struct grid *g,            \
                            const struct name##_form *form); \
  void name##_step(struct name *state, int step);            \
  void name##_end(struct name *state);
#include "tests/idioms/programs/idioms.def"
#undef IDIOM
#undef FIELD

#ifdef __cplusplus
}
#endif
