// The links of one message on a torus, and how they are numbered: as loads are
// (load.h), dimension by dimension, downwards, then upwards, by node.
//
// A message has a way for each order of the dimensions that its routing leaves
// open, and for each dimension one either way round, which differ where both
// are as short.
//
// Thread-safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bgq_support/network/routes.h"

namespace ranksight::bgq_support {

std::vector<LinkClass> ClassesOf(const TorusNetwork& torus);

class TorusRoutes : public Routes {
 public:
  explicit TorusRoutes(const TorusNetwork& torus);
  int64_t ways() const override { return ways_; }
  void Add(int64_t from, int64_t to, int64_t way,
           std::vector<uint32_t>* out) const override;

 private:
  using Order = std::array<int, Torus::kMaxDims>;
  // The dimensions in the order of that way; *way is left with the ways round.
  Order OrderOf(int64_t* way) const;

  const Torus torus_;
  // By dimension: how far apart the numbers of neighbours are.
  std::array<int, Torus::kMaxDims> strides_{};
  const bool both_ways_;
  const std::vector<std::vector<int>> groups_;  // any order within one
  int64_t ways_ = 1;
};

}  // namespace ranksight::bgq_support
