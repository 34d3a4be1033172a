#include "reduction/section/discard.h"

#include "reduction/api/pause.h"

namespace ranksight::reduction {

void Discard(Parameter p) {
  if (p.empty() || p.is_shared()) return;
  // Nobody else has these pieces, and they end here.
  auto& pieces = const_cast<ParameterPieces&>(p.pieces());
  for (ParameterPiece& piece : pieces) {
    while (!piece.columns.empty()) {
      Pause();
      piece.columns.pop_back();
    }
  }
}

}  // namespace ranksight::reduction
