#include "online_model/twin/sizes_by_color.h"

#include <algorithm>

#include "online_model/twin/exchange_parts.h"
#include "online_model/twin/makings.h"

namespace ranksight::online_model {
namespace {

bool HasColorsAlone(const TwinTree::Item& item) {
  using reduction::Param;
  if (!item.like->is_event() || item.copied ||
      item.like->call != reduction::Call::MPI_Comm_split_) {
    return false;
  }
  const auto has_none = [&item](Param p) {
    return item.HasNoLaw(size_t(reduction::ParamPlace(item.like->call, p)));
  };
  return has_none(Param::kCommSize) && !has_none(Param::kColor) &&
         !has_none(Param::kComm);
}

}  // namespace

SizesByColor SizesByColor::Of(const TwinTree& tree, const Grid& grid) {
  SizesByColor all;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    if (HasColorsAlone(tree.nodes[n])) all.sizes_[int(n)];
  }
  if (all.sizes_.empty()) return all;
  const std::vector<RankRun> runs = AllByLaw(tree, grid);
  const Makings made(tree, runs);
  constexpr int64_t kUnknown = -1;
  for (auto& [node, sizes] : all.sizes_) {
    for (const RankRun& run : runs) {
      const auto& starts = run.nodes[size_t(node)].starts;
      sizes.emplace_back(starts.empty() ? 0 : starts.back(), kUnknown);
    }
  }
  for (const JointCall& call : made.calls()) {
    if (call.classes.empty()) continue;
    const auto set = [&](int64_t rank, size_t k, int64_t size) {
      const Making& making = made.of_rank()[size_t(rank)][k];
      const auto at = all.sizes_.find(making.node);
      if (at == all.sizes_.end()) return;
      at->second[size_t(rank)][size_t(making.run)] = size;
    };
    std::map<int64_t, int64_t> size_of;
    for (const auto& [with, ranks] : call.classes) {
      for (const int64_t r : ranks) size_of[r] = int64_t(ranks.size());
    }
    for (const auto& [rank, k] : call.makings) {
      const auto size = size_of.find(rank);
      set(rank, k, size == size_of.end() ? 0 : size->second);
    }
  }
  std::erase_if(all.sizes_, [&](const auto& of) {
    return runs.empty() ||
           std::ranges::any_of(of.second, [&](const auto& of_rank) {
             return std::ranges::count(of_rank, kUnknown) > 0;
           });
  });
  return all;
}

int64_t SizesByColor::At(int64_t rank, int node, int64_t run) const {
  return sizes_.at(node)[size_t(rank)][size_t(run)];
}

}  // namespace ranksight::online_model
