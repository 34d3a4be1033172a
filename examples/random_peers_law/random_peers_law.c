// Laws of one's own: the neighbours of tests/apps/shapes/random_peers.c, which
// deals all ranks into a ring anew before each step, by a generator that
// starts from the same seed at every size. No law of ranksight's can know the
// generator; these run it.
//
//   ranksight extrapolate 4.trace 5.trace 6.trace --ranks 8
//       --plugin librandom_peers_law.so -o 8.trace
#include "online_model/api/ranksight_law.h"

enum { kMostRanks = 256 };

static unsigned Draw(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// The rank so many places on in the ring of the step that the place stands
// in. The law has no value outside the loop over steps, nor for more ranks
// than the program can deal.
static int64_t OnRing(const ranksight_law_place* place, int64_t by) {
  const int64_t n = place->ranks;
  int64_t order[kMostRanks], at = 0;
  unsigned state = 12345;
  if (place->length == 0 || n > kMostRanks) return RANKSIGHT_LAW_NONE;
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  for (int64_t step = 0; step <= place->position; ++step) {
    for (int64_t i = n - 1; i > 0; --i) {
      const int64_t j = (int64_t)Draw(&state) % (i + 1), kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }
  while (order[at] != place->rank) ++at;
  return order[(at + by + n) % n];
}

static int64_t Next(const ranksight_law_place* place) {
  return OnRing(place, 1);
}

static int64_t Previous(const ranksight_law_place* place) {
  return OnRing(place, -1);
}

const ranksight_law_list* ranksight_laws(void) {
  static const ranksight_law laws[] = {{"next_on_ring", Next},
                                       {"previous_on_ring", Previous}};
  static const ranksight_law_list list = {RANKSIGHT_LAW_VERSION, 2, laws};
  return &list;
}
