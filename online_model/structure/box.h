// Box: a set of ranks of a grid, and Affine: a number that is an affine
// function on it. Laws are evaluated on whole boxes, so that making a trace
// costs what its structure does, whatever the number of ranks.
//
// A box is a mixed-radix number: digit i counts y_i = 0 .. size_i - 1 and adds
// weight_i * y_i to one coordinate. Digits stand slowest first, so that their
// order is that of ranks. A law that is not affine on a box throws a Cut: the
// caller takes the parts one by one. Parts get smaller or have more digits
// each time, and on a single rank everything is a constant, so this ends.
// Thread-safety: value types. Cut never leaves this library.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "online_model/structure/context.h"
#include "online_model/structure/grid.h"

namespace ranksight::online_model {

struct Affine {
  int64_t constant = 0;
  std::vector<int64_t> by;  // for each digit of the box

  bool IsConstant() const;
  bool Is(int64_t v) const { return constant == v && IsConstant(); }
};

struct Digit {
  // Counts places in a list, not ranks.
  static constexpr int kPlace = kPlaceDimension;
  int dim = 0;
  int64_t weight = 1;
  int64_t size = 2;  // at least 2
};

// Split digit `digit` before y == at; or, where `refine` is set, write it in
// two digits, the lower one of size `at`.
struct Cut {
  size_t digit = 0;
  int64_t at = 0;
  bool refine = false;
};

struct Box {
  const Grid* grid = nullptr;
  Coordinates base{};
  std::vector<Digit> digits;
  int64_t place = 0, length = 0;  // in a list

  static Box All(const Grid& grid);
  // The same with places 0 .. n - 1. REQUIRES: no places yet.
  Box WithPlaces(int64_t n) const;

  Affine Constant(int64_t v) const;
  Affine Coordinate(int dim) const;
  Affine Rank() const;
  Affine Place() const;
};

// The parts of a box, and the same number on each of them.
std::vector<Box> Parts(const Box& box, const Cut& cut);
std::vector<Affine> Parts(const Affine& v, const Box& box, const Cut& cut);

std::pair<int64_t, int64_t> Range(const Affine& v, const Box& box);

// Each throws a Cut where the result is not affine, and gives kNotWhole
// (expression.h) where there is none.
Affine Add(const Affine& a, const Affine& b, int64_t factor = 1);
// v, or kNotWhole where it is beyond `most` either way.
Affine Limited(const Affine& v, int64_t most, const Box& box);
Affine Multiply(const Affine& a, const Affine& b, const Box& box);
Affine FloorDivide(const Affine& a, const Affine& b, const Box& box);
Affine DivideExactly(const Affine& a, const Affine& b, const Box& box);
Affine Remainder(const Affine& a, const Affine& b, const Box& box);
Affine Xor(const Affine& a, const Affine& b, const Box& box);
bool IsEqual(const Affine& a, const Affine& b, const Box& box);
bool IsLess(const Affine& a, const Affine& b, const Box& box);
// The value where it is constant; throws a Cut elsewhere.
int64_t ConstantOf(const Affine& v, const Box& box);
// The rank and place that the box is. Throws a Cut where it is more.
Context ContextOf(const Box& box);

}  // namespace ranksight::online_model
