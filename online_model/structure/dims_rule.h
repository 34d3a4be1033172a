// Rules that give the shape of a grid from the number of ranks.
//
// Thread-safety: value types, pure functions.
// Complexity: DimsCreate is polynomial in the number of divisors of n.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "online_model/structure/grid.h"

namespace ranksight::online_model {

// What MPI_Dims_create of MPICH gives for n ranks and no fixed dimension:
// the factorisation, largest first, with the least difference between first
// and last; of equals the one whose last, then last but one, ... is largest.
std::vector<int64_t> DimsCreate(int64_t n, int ndims);

// All shapes of n ranks with so many sides, the first ones shortest first.
std::vector<std::vector<int64_t>> ShapesOf(int64_t n, int ndims);

struct DimsRule {
  enum class Kind {
    kLine,      // N
    kEqual,     // square, cube, ...: N must be a perfect power
    kBalanced,  // MPI_Dims_create
    kFixed,     // one dimension is `fixed`, the other N / fixed
    kGiven,     // recorded at the inputs, unknown elsewhere
    // Of a mesh whose sides are as `mesh` to one another: what gives its
    // blocks the least surface, and cutting the longest side of a block by the
    // prime factors of N, the greatest first (halving it, mostly). Of equals
    // the first side is the shorter (reversed: the longer) one, or (kHalves)
    // the first (reversed: last) is cut.
    kLeastSurface,
    kHalves,
    // The least surface of a largest block, in whole points of `mesh`.
    kLeastBlockSurface,
    // All sides but one are as long as `constants` says, which has 0 for the
    // one that takes the rest.
    kOneFree,
  };
  Kind kind = Kind::kLine;
  int ndims = 1;
  bool reversed = false;  // smallest (or fixed) dimension first
  int64_t fixed = 0;
  std::map<int64_t, std::vector<int64_t>> given = {};  // by number of ranks
  std::vector<int64_t> mesh = {};
  RankOrder order = RankOrder::kRows;
  std::vector<int64_t> constants = {};  // by side, of kOneFree

  std::optional<std::vector<int64_t>> DimsFor(int64_t n) const;
  bool IsByMesh() const {
    return kind == Kind::kLeastSurface || kind == Kind::kHalves ||
           kind == Kind::kLeastBlockSurface;
  }
  // Whether all sides but one are constants of the program.
  bool HasConstantSides() const {
    return kind == Kind::kFixed || kind == Kind::kOneFree;
  }
  // The same with the order, where ranks can be numbered so.
  std::optional<Grid> GridFor(int64_t n) const;
  std::string ToString() const;

 private:
  std::string ShapeText() const;
};

// Whether ranks can be numbered so on a grid of these dims.
bool IsOrdered(const std::vector<int64_t>& dims, RankOrder order);

inline bool IsPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// The sizes nearest to n for which the rule has a shape, ascending.
std::vector<int64_t> NearbySizes(const DimsRule& rule, int64_t n, int count);

}  // namespace ranksight::online_model
