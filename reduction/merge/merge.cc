#include "reduction/api/merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/base/saturating.h"
#include "reduction/merge/merge_trees.h"

namespace ranksight::reduction {
namespace {

bool Disjoint(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.empty() || b.empty() || a.back() < b.front()) return true;
  std::vector<int64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::back_inserter(both));
  return both.empty();
}

void AddCounts(const std::map<std::string, uint64_t>& from,
               std::map<std::string, uint64_t>* to) {
  for (const auto& [name, count] : from) AddSaturating(count, &(*to)[name]);
}

void MergeMeta(const Meta& b, Meta* a) {
  a->ranks = std::max(a->ranks, b.ranks);
  if (b.start_unix_ns != 0 &&
      (a->start_unix_ns == 0 || b.start_unix_ns < a->start_unix_ns)) {
    a->start_unix_ns = b.start_unix_ns;
  }
  if (!b.complete) {
    a->complete_until_ns =
        a->complete ? b.complete_until_ns
                    : std::min(a->complete_until_ns, b.complete_until_ns);
    a->complete = false;
  }
  a->epochs = std::max(a->epochs, b.epochs);
  a->own_time = a->own_time || b.own_time;
  a->elapsed.Merge(b.elapsed);
  a->memory.Merge(b.memory);
  if (!a->made_dims) a->made_dims = b.made_dims;  // rank 0 alone has them
  AddCounts(b.not_recorded, &a->not_recorded);
  AddCounts(b.polls, &a->polls);
  AddCounts(b.losses, &a->losses);
}

}  // namespace

std::vector<int64_t> RanksOf(const Node& root) {
  std::vector<int64_t> ranks;
  for (const Node& child : root.children) {
    Pause();
    const std::vector<int64_t> more = child.trips.Ranks().Expand();
    std::vector<int64_t> all;
    std::set_union(ranks.begin(), ranks.end(), more.begin(), more.end(),
                   std::back_inserter(all));
    ranks = std::move(all);
  }
  return ranks;
}

Status MergeInto(Trace* into, Trace b) {
  RANKSIGHT_REQUIRE(into != nullptr);
  Trace& a = *into;
  const std::vector<int64_t> ranks_a = RanksOf(a.root);
  const std::vector<int64_t> ranks_b = RanksOf(b.root);
  if (!Disjoint(ranks_a, ranks_b)) {
    return Status::Internal("merge: a rank stands in both traces");
  }
  if (!ranks_b.empty() && (ranks_a.empty() || ranks_b[0] < ranks_a[0])) {
    // The one with the lowest rank is merged into, so that the result does not
    // depend on which was given first.
    std::swap(a, b);
  }
  std::vector<uint32_t> map_a, map_b;
  if (a.sites != b.sites) {
    a.sites = Unite(a.sites, b.sites, &map_a, &map_b);
    RemapSites(map_a, &a.root);
    RemapSites(map_b, &b.root);
  }
  MergeTrees(&a.root, std::move(b.root));
  MergeMeta(b.meta, &a.meta);
  return Status::Ok();
}

Result<Trace> Merge(Trace a, Trace b) {
  const Status merged = MergeInto(&a, std::move(b));
  if (!merged.ok()) return merged;
  return a;
}

}  // namespace ranksight::reduction
