// Where to cut a box (box.h) so that a law is affine on more of it.
// Thread-safety: pure functions.
#pragma once

#include "online_model/structure/box.h"

namespace ranksight::online_model {

// Digits by how much they move v, most first; those that do not left out.
std::vector<size_t> Movers(const Affine& v);

// Two halves of the longest digit that moves v, or, where the sizes of all
// those depend on others, of one they depend on. REQUIRES: v is no constant.
Cut Halve(const Affine& v, const Box& box);

// A cut after which the sign of v is settled on more of the box.
// REQUIRES: it is not settled on all of it.
Cut SignCut(const Affine& v, const Box& box);

// 2 v + 1: never 0, and of the sign of v where v is not negative.
Affine Odd(const Affine& v);

// a / b towards minus infinity. REQUIRES: b > 0 or the result fits.
int64_t FloorOf(__int128 a, int64_t b);

}  // namespace ranksight::online_model
