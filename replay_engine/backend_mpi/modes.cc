#include "replay_engine/backend_mpi/modes.h"

#include <mpi.h>

namespace ranksight::replay_engine {
namespace {

struct Mode {
  ModeKind kind;
  int64_t number;
  int here;
};
using enum ModeKind;
constexpr Mode kModes[] = {
#define RANKSIGHT_MODE(kind, number, name) {kind, number, name},
#include "reduction/api/modes.def"
#undef RANKSIGHT_MODE
};

}  // namespace

int ModeBits(ModeKind kind, int64_t bits) {
  int here = 0;
  for (const Mode& mode : kModes) {
    if (mode.kind == kind && (bits & mode.number) != 0) here |= mode.here;
  }
  return here;
}

int ModeNumber(ModeKind kind, int64_t number) {
  int first = 0;
  for (const Mode& mode : kModes) {
    if (mode.kind != kind) continue;
    if (mode.number == number) return mode.here;
    if (mode.number == 0) first = mode.here;
  }
  return first;
}

}  // namespace ranksight::replay_engine
