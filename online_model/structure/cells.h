// Cells: sizes of the cells of a square multipartition, in which each rank of
// a q x q grid owns q cells on a diagonal of a q x q x q grid (Naik 1995; the
// NAS BT and SP benchmarks). A cell's side is a balanced block of a whole,
// the outermost ones shortened by one where boundary points do not count.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "online_model/structure/context.h"

namespace ranksight::online_model {

// a0*x0 + a1*x1 + ak*k + add, modulo q: a coordinate of a cell. k is the
// place in the list, or the cell summed over.
struct CellCoordinate {
  int64_t a0 = 0, a1 = 0, ak = 0, add = 0;
  int64_t At(const Context& c, int64_t k) const;
  std::string ToString(const std::string& k) const;
};

struct Cells {
  int64_t whole = 0;
  int64_t scale = 1;
  bool inner = false;  // sides without the first and the last point
  std::vector<CellCoordinate> sides;  // multiplied
  // whole + side 0 + q * side 1 instead: the number of a cell in a face.
  bool numbered = false;
  // Over all q cells of the rank, but those at one end of this direction.
  bool summed = false;
  bool guarded = false, at_last = false;
  CellCoordinate guard;

  // REQUIRES: a square grid of two dimensions.
  int64_t At(const Context& c) const;
  std::string ToString() const;
};

}  // namespace ranksight::online_model
