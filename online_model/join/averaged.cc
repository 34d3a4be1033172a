#include "online_model/api/averaged.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reduction/api/distribution.h"
#include "reduction/api/losses.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Section;

// How many values a rank has of parameter i: one for each call, or as many
// as its arrays are long.
const Parameter& CountsOf(const Node& node, size_t i) {
  const auto params = reduction::Info(node.call).params;
  if (!reduction::IsArray(params[i])) return node.trips;
  const auto length = std::find(params.begin(), params.end(),
                                reduction::LengthOf(node.call, params[i]));
  return length == params.end() ? node.trips
                                : node.params[size_t(length - params.begin())];
}

Parameter MeanOf(const Node& node, size_t i) {
  const int64_t mean = std::llround(node.params[i].distribution()->Mean());
  Parameter all;
  for (const auto& [rank, counts] : CountsOf(node, i).ByRank()) {
    all.Add(rank, Section::Constant(mean, uint64_t(counts.Sum())), false);
  }
  return all;
}

}  // namespace

void Average(reduction::Trace* trace) {
  reduction::ForEachEvent(trace->root, [](Node& node) {
    for (size_t i = 0; i < node.params.size(); ++i) {
      if (node.params[i].distribution() != nullptr) {
        node.params[i] = MeanOf(node, i);
      }
    }
  });
  auto lost = trace->meta.losses.extract(reduction::kLossOfValues);
  if (lost.empty()) return;
  lost.key() = reduction::kLossByMeans;
  trace->meta.losses.insert(std::move(lost));
}

}  // namespace ranksight::online_model
