// Shapes of real machines.
#include "bgq_support/api/torus.h"

namespace ranksight::bgq_support {

std::optional<Torus> Torus::BlueGeneQ(int nodes) {
  switch (nodes) {
    case 32:
      return Parse("2x2x2x2x2");
    case 64:
      return Parse("2x2x4x2x2");
    case 128:
      return Parse("2x2x4x4x2");
    case 256:
      return Parse("4x2x4x4x2");
    case 512:
      return Parse("4x4x4x4x2");
    case 1024:
      return Parse("4x4x4x8x2");
    case 2048:
      return Parse("4x4x8x8x2");
    default:
      return std::nullopt;
  }
}

}  // namespace ranksight::bgq_support
