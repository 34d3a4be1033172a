// Amounts (how much a call moves) and what their sums depend on.
#pragma once

#include <algorithm>
#include <iterator>

#include "reduction/api/call.h"

namespace ranksight::reduction {

// An amount, and the sizes of the elements that it counts.
struct SizeOf {
  Param amount, size, sizes;
};
inline constexpr SizeOf kSizes[] = {
    {Param::kCount, Param::kTypeSize, Param::kTypeSizes},
    {Param::kCounts, Param::kTypeSize, Param::kTypeSizes},
    {Param::kRecvCount, Param::kRecvTypeSize, Param::kRecvTypeSizes},
    {Param::kRecvCounts, Param::kRecvTypeSize, Param::kRecvTypeSizes},
    {Param::kTargetCount, Param::kTargetTypeSize, Param::kTargetTypeSize},
};

// nullptr when it is no amount.
inline const SizeOf* SizesOf(Param amount) {
  const auto* const of =
      std::find_if(std::begin(kSizes), std::end(kSizes),
                   [&](const SizeOf& s) { return s.amount == amount; });
  return of == std::end(kSizes) ? nullptr : of;
}

// Whether the sum of the amounts gives the bytes only as long as param has
// one value.
inline bool DecidesBytes(Param param, const SizeOf& of) {
  return param == of.size || param == of.sizes || param == Param::kInPlace ||
         param == Param::kPartitions;
}

}  // namespace ranksight::reduction
