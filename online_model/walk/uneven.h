// Work that differs from rank to rank: a share of the ranks has least, another
// one most, and the others lie on a line between, or, where few ranks are far
// from all others, on a part of it. One slow rank, a part of the ranks with
// more, and a ramp from the first to the last are such.
//
// Relative to the mean rank. Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>

namespace ranksight::online_model {

struct Uneven {
  double least = 1, most = 1;
  double at_least = 0, at_most = 0;  // shares of the ranks
  double from = 1, to = 1;           // the others' line
  bool known() const { return most > least; }
  // Of the rank that a share of the others, within 0 and 1, has less than.
  double At(double share) const;
};

// The one with this standard deviation and these extremes. jitter: the standard
// deviation that chance would give ranks with equal work, where it is known.
// Not known where there is none, as of jitter, which lies about the mean, and
// where the deviation is little: 5 %, or 1 % and three times the jitter.
Uneven UnevenOf(double deviation, double least, double most,
                std::optional<double> jitter = std::nullopt);

// Ranks in an order that says nothing of their work: a place for each. How far
// neighbours are apart in it.
int64_t StrideOf(int64_t ranks);

}  // namespace ranksight::online_model
