// How far a twin is from the real run: all messages of all ranks, their bytes,
// and who sends to whom.
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/trace.h"

namespace ranksight::idioms {

// Relative errors, in percent of the real run; point-to-point and the lists of
// collectives with counts.
struct Likeness {
  double messages = 0, bytes = 0, partners = 0;
};

Likeness LikenessOf(const reduction::Trace& twin, const reduction::Trace& real);

// Of the twin's estimated call sites of messages, those whose figure in the
// real run is within the stated interval. Sites where what time decides says
// who sends are left out.
struct Inside {
  int sites = 0, messages = 0, bytes = 0, partners = 0;
};

Inside InsideOf(const reduction::Trace& twin, const reduction::Trace& real);

}  // namespace ranksight::idioms
