// Work that differs from rank to rank: a share of the ranks has least, another
// one most, and the others lie on a line between. One slow rank, a part of the
// ranks with more, and a ramp from the first to the last are such.
//
// Relative to the mean rank. Thread-safety: value types.
#pragma once

#include <cstdint>

namespace ranksight::online_model {

struct Uneven {
  double least = 1, most = 1;
  double at_least = 0, at_most = 0;  // shares of the ranks
  bool known() const { return most > least; }
  // Of the rank that a share of the ranks, within 0 and 1, has less than.
  double At(double share) const;
};

// The one with this standard deviation and these extremes. Not known where
// there is none, as of jitter, which lies about the mean, and where the
// deviation is below 5 % of it.
Uneven UnevenOf(double deviation, double least, double most);

// Ranks in an order that says nothing of their work: a place for each. How far
// neighbours are apart in it.
int64_t StrideOf(int64_t ranks);

}  // namespace ranksight::online_model
