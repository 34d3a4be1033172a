// Box: a set of ranks of a grid, and Affine: a number that is an affine
// function on it. Laws are evaluated on whole boxes, so that making a trace
// costs what its structure does, whatever the number of ranks.
//
// A box is a nest of loops: digit i counts y_i = 0 .. size_i - 1, where the
// size may be an affine function of the digits before it, so that triangles are
// boxes, too. Coordinates are affine functions of all digits, which stand
// slowest first, so that their order is that of ranks. A law that is not affine
// on a box throws a Cut: the caller takes the parts one by one. Parts get
// smaller or have more digits each time, and on a single rank everything is a
// constant, so this ends. Thread-safety: value types. Cut never leaves this
// library.
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
  bool operator==(const Affine&) const = default;
};

struct Digit {
  // Counts places in a list, not ranks.
  static constexpr int kPlace = kPlaceDimension;
  int dim = 0;
  Affine size;  // at least 1 everywhere, of places 1 or at least 2
};

// Split digit `digit` before y == at, a function of the digits before it; or,
// where `refine` is set, write it in two digits, the lower one of size `at`.
struct Cut {
  size_t digit = 0;
  Affine at;
  bool refine = false;
};

struct Box {
  const Grid* grid = nullptr;
  Affine rank;
  std::vector<Affine> coordinates;
  std::vector<Digit> digits;
  Affine place;   // in a list
  Affine length;  // of that list

  // Boxes that have all ranks of the grid between them: one, or a few where
  // they are counted back and forth.
  static std::vector<Box> All(const Grid& grid);
  // The same with places 0 .. n - 1, or `from` .. to - 1 of them.
  // REQUIRES: no places yet; n is 1 or at least 2 everywhere.
  Box WithPlaces(int64_t n) const { return WithPlaces(n, 0, n); }
  Box WithPlaces(int64_t n, int64_t from, int64_t to) const;
  Box WithPlaces(const Affine& n) const;

  Affine Constant(int64_t v) const;
  const Affine& Coordinate(int dim) const {
    return dim == Digit::kPlace ? place : coordinates[size_t(dim)];
  }
  const Affine& Rank() const { return rank; }
  // Of the place of the grid with these coordinates, which may be none of the
  // box's. Throws a Cut. REQUIRES: it is on the grid.
  Affine RankAt(const std::vector<Affine>& at) const;
  // The other way around. REQUIRES: a rank of the grid.
  std::vector<Affine> CoordinatesOf(const Affine& of_rank) const;
  const Affine& Place() const { return place; }

 private:
  // What x along side d is as a place on its line, counted from where ranks
  // are, and the other way around.
  Affine OnLine(size_t d, const std::vector<Affine>& at, const Affine& x) const;
};

// One part of a box that was cut.
struct Part {
  Box box;
  Cut cut;
  bool high = false;            // the one behind the cut
  std::vector<size_t> dropped;  // digits with nothing to count, in turn

  // The same number there. REQUIRES: v is one on the whole box.
  Affine Of(const Affine& v) const;
};
std::vector<Part> Parts(const Box& box, const Cut& cut);

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
