// Who sends how many bytes to whom, as a plain table.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "bgq_support/api/load.h"

namespace ranksight::cli {

using Pairs = std::map<std::pair<int64_t, int64_t>, uint64_t>;

inline Pairs Expand(const bgq_support::Traffic& traffic) {
  Pairs pairs;
  for (const auto& f : traffic.flows) {
    for (int64_t i = 0; i < f.count; ++i) {
      pairs[{f.rank + i * f.stride, f.peer + i * f.peer_stride}] += f.bytes;
    }
  }
  for (const auto& e : traffic.exchanges) {
    for (const int64_t a : e.members) {
      for (const int64_t b : e.members) {
        if (a != b) pairs[{a, b}] += e.bytes;
      }
    }
  }
  return pairs;
}

}  // namespace ranksight::cli
