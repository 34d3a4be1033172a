// A table of many rows of which most are never touched: rows are there, and as
// T() makes them, once somebody asks for one of their block.
//
// A walk of few ranks on a large machine sees few of its links, and thousands
// of such walks make a fit: rows that are there from the start would take most
// of its time.
// Thread-safety: as std::vector. Complexity: O(1) a row; making one takes
// O(rows / kBlock).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "reduction/api/contract.h"

namespace ranksight::online_model {

template <class T>
class TouchedTable {
 public:
  explicit TouchedTable(size_t rows = 0)
      : rows_(rows), blocks_((rows + kBlock - 1) / kBlock) {}

  bool empty() const { return blocks_.empty(); }
  // REQUIRES: row < rows. It stays where it is.
  T& operator[](size_t row) {
    RANKSIGHT_REQUIRE(row < rows_);
    auto& block = blocks_[row / kBlock];
    if (block == nullptr) block = std::make_unique<T[]>(kBlock);
    return block[row % kBlock];
  }

 private:
  // Links of neighbours have numbers close by. Twice as many, and a walk that
  // touches one link here and there clears twice as much.
  static constexpr size_t kBlock = 64;
  size_t rows_;
  std::vector<std::unique_ptr<T[]>> blocks_;
};

}  // namespace ranksight::online_model
