#include "online_model/twin/groups_by_law.h"

#include <algorithm>

#include "online_model/twin/exchange_parts.h"

namespace ranksight::online_model {

GroupsByLaw GroupsByLaw::Of(const TwinTree& tree, const InputRun& last,
                            const Grid& grid) {
  GroupsByLaw all;
  const std::vector<RankRun> runs = AllByLaw(tree, grid);
  if (runs.empty()) return all;
  all.here_ = std::make_shared<const Makings>(tree, runs);
  all.there_ = std::make_shared<const Makings>(tree, last.runs);
  return all;
}

std::optional<int64_t> GroupsByLaw::RootFor(int64_t rank, int64_t like,
                                            int64_t number,
                                            int64_t like_root) const {
  constexpr int64_t kFirstMade = 2;  // behind the world and the rank itself
  if (here_ == nullptr || number < kFirstMade) return std::nullopt;
  const auto mine = here_->Which(rank, number);
  const auto theirs = there_->Which(like, number);
  if (!mine || !theirs) return std::nullopt;
  const auto& here = here_->MembersOf(*mine);
  const auto& there = there_->MembersOf(*theirs);
  const auto root = std::ranges::lower_bound(there, like_root);
  if (root == there.end() || *root != like_root) return std::nullopt;
  return here[size_t(root - there.begin()) * here.size() / there.size()];
}

}  // namespace ranksight::online_model
