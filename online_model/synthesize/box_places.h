// What a law over the place in a list gives on a whole box of ranks, place by
// place, as few terms.
//
// Functions throw as those of box_terms.h. Thread-safety: pure functions.
#pragma once

#include "online_model/structure/box.h"
#include "online_model/structure/scalar_law.h"
#include "online_model/synthesize/box_terms.h"

namespace ranksight::online_model {

// The law at the places of `all`, which are some or all of those of a list on
// `box`, in their order.
void AppendPlaces(const ScalarLaw& law, const Box& box, const Box& all,
                  BoxTerms* out);
// The law at all places of a list of n. REQUIRES: n >= 1 everywhere.
void AppendList(const ScalarLaw& law, const Box& box, const Affine& n,
                BoxTerms* out);

}  // namespace ranksight::online_model
