// Levels: how the points of a multigrid get fewer (or more) in the iterations
// of the loop that runs through them. Each has half as many along every side
// as the one before. Where those are fewer than the ranks of a side, every
// second, fourth, ... rank has one.
// Thread-safety: value types.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "online_model/structure/context.h"
#include "online_model/structure/expression.h"

namespace ranksight::online_model {

struct Levels {
  int64_t whole = 1;   // points of a side at the finest level
  bool up = false;     // which is the last iteration, not the first
  bool alone = false;  // no loop: the finest level only

  auto operator<=>(const Levels&) const = default;

  // Points of a rank along a side, and how many ranks on the next one that
  // has any is; both 0 where there is no such level.
  int64_t Points(const Context& c, int dim) const {
    const int64_t parts = Parts(c, dim);
    return parts < 1 ? 0 : std::max<int64_t>(1, whole / parts);
  }
  int64_t Distance(const Context& c, int dim) const {
    const int64_t parts = Parts(c, dim);
    return parts < 1 ? 0 : std::max<int64_t>(1, parts / whole);
  }
  // Whether a rank has a part in the level along a side: those at multiples of
  // the distance, counted from `first`, 0 or 1.
  bool HasPart(const Context& c, int dim, int64_t first) const {
    const int64_t distance = Distance(c, dim);
    return distance > 0 && (c.at[size_t(dim)] + first) % distance == 0;
  }
  // The level with half the points. REQUIRES: whole > 1.
  Levels Coarser() const { return {whole / 2, up, alone}; }
  ExpressionPtr PointsLaw(int dim) const;
  ExpressionPtr DistanceLaw(int dim) const;
  ExpressionPtr HasPartLaw(int dim, int64_t first) const;

 private:
  // Into so many parts the finest level's points are divided.
  int64_t Parts(const Context& c, int dim) const {
    if (alone) return c.dim(dim);
    const int64_t k = up ? c.length - 1 - c.position : c.position;
    return k < 0 || k > 40 ? 0 : c.dim(dim) << k;
  }
  ExpressionPtr PartsLaw(int dim) const;
};

// Points of a side at the finest level: powers of two up to this.
inline constexpr int64_t kMostLevelPoints = int64_t{1} << 20;

template <class F>
void ForEachLevels(F&& f) {
  for (const bool up : {false, true}) {
    for (int64_t whole = 1; whole <= kMostLevelPoints; whole *= 2) {
      f(Levels{whole, up, false});
    }
  }
}

}  // namespace ranksight::online_model
