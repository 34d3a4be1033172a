// Lists of numbers on a whole box of ranks: terms as in reduction::Section,
// with numbers that are affine on the box.
//
// Functions throw a Cut (structure/box.h) where one form does not serve the
// whole box, and a Status where a list gets too long.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/structure/box.h"

namespace ranksight::online_model {

struct BoxTerm {
  Affine value;  // of a run; 0 with a body
  int64_t stride = 0;
  Affine count;
  std::vector<BoxTerm> body;
};
using BoxTerms = std::vector<BoxTerm>;

BoxTerm One(const Affine& value, const Box& box);
// Equal numbers in a row become one run.
void AppendTerm(BoxTerm term, BoxTerms* out);

// How many values there are, and what they add up to.
Affine Length(const BoxTerms& terms, const Box& box);
Affine Sum(const BoxTerms& terms, const Box& box);
// The first n values. REQUIRES: n is no more than there are.
BoxTerms Head(const BoxTerms& terms, int64_t n, const Box& box);
// The numbers themselves; throws a Cut where ranks differ.
std::vector<int64_t> NumbersOf(const BoxTerms& terms, const Box& box);

}  // namespace ranksight::online_model
