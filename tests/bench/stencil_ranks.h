// Ranks of a periodic five-point stencil as the runtime would fold them: the
// input that the benchmarks share.
#pragma once

#include <cstdint>
#include <span>

#include "reduction/api/folder.h"
#include "reduction/api/trace.h"

namespace ranksight::bench {

// Pushes the events of one time step of `rank` on a side x side grid.
class StencilRank {
 public:
  StencilRank(int64_t rank, int64_t side);
  void Step(reduction::Folder* folder);
  static constexpr int kEventsAStep = 10;

 private:
  void Add(reduction::Folder* folder, reduction::Call call, uint64_t address,
           std::span<const int64_t> scalars, std::span<const int64_t> array);

  int64_t neighbours_[4];
  uint32_t module_ = 0;
  bool ready_ = false;
  uint64_t tick_ = 0;
};

reduction::Trace FoldRank(int64_t rank, int64_t side, int steps);
reduction::Trace MergedTrace(int64_t side, int steps);

}  // namespace ranksight::bench
