// StructureLaws: the laws of a program's structure, looked for in ever weaker
// ways, since a forecast has an interval: checked against the largest size;
// with a size to spare, laws that hold at all of them; and without the
// smallest, which may lack what larger runs have (an interior).
//
// Invariants: each way is searched once at most. What has no law in the weakest
// of the ways, at the fewest sizes and with no check, has none in the others,
// which are then not searched; nor is, in all sizes, a grid by which all but
// the largest have no laws. Thread-safety: one thread. REQUIRES: the inputs
// outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "online_model/api/extrapolate.h"

namespace ranksight::online_model {

// The first trace of each size.
using FirstOfSize = std::map<int64_t, const reduction::Trace*>;

class StructureLaws {
 public:
  // Fewer do not tell a law from an accident.
  static constexpr size_t kLeastSizes = 3;

  // first: of the inputs, at least kLeastSizes. how: laws are searched.
  StructureLaws(std::span<const reduction::Trace> inputs,
                const FirstOfSize& first, ExtrapolationRequest how)
      : inputs_(inputs), first_(first), how_(std::move(how)) {}

  // The trace at a rank count, by the first way whose laws reach it.
  reduction::Result<Extrapolation> At(int64_t ranks);

 private:
  using Laws = reduction::Result<Extrapolation>;

  // Ways are numbered from the strictest.
  size_t Ways() const;
  const Laws& LawsOfWay(size_t way);
  void FindWeaker(size_t way);
  Laws Search(size_t way) const;

  const std::span<const reduction::Trace> inputs_;
  const FirstOfSize& first_;
  const ExtrapolationRequest how_;
  std::map<size_t, std::shared_ptr<const Laws>> laws_;  // by way, those tried
};

}  // namespace ranksight::online_model
