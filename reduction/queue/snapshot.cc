#include "reduction/queue/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/queue/draft.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// One rank's mean, so that merging can tell ranks apart from jitter.
void SetRankMean(TimeSummary* t) { t->ranks.Add(t->Mean(false)); }

EventTimes TimesOf(const TreeNode& from,
                   const std::vector<uint32_t>& site_map) {
  const auto now = [&site_map](Predecessor p) {
    return p < site_map.size() ? site_map[p] : p;
  };
  EventTimes times;
  times.call.first = from.first_call;
  std::vector<ComputeParts::Part> rests;
  for (const auto& t : from.times) {
    times.compute.first.Merge(t->first_compute);
    times.compute.rest.Merge(t->rest.compute());
    times.call.rest.Merge(t->rest.call());
    if (t->first_compute.count > 0) {
      times.first_after = ComputeParts::Of(now(t->after));
    }
    if (t->rest.count() == 0) continue;
    // One predecessor alone: the computation behind it is all there is, and is
    // not kept twice.
    if (from.times.size() == 1) {
      times.rest_after = ComputeParts::Of(now(t->after));
      continue;
    }
    rests.push_back({now(t->after), {{}, t->rest.compute(), {}}});
    SetRankMean(&rests.back().compute);
  }
  SetRankMean(&times.compute);
  SetRankMean(&times.call);
  if (!rests.empty()) times.rest_after = ComputeParts::Of(std::move(rests));
  return times;
}

// Makes one rank's parameters, equal ones once.
class ParameterPool {
 public:
  explicit ParameterPool(int64_t rank) : rank_(rank) {}

  Parameter Of(const Section& section, bool ranked) {
    Parameter made;
    if (section.empty()) return made;
    made.Add(rank_, section, ranked);
    size_t hash = ranked ? 1 : 0;
    for (const Term& t : section.terms()) hash = hash * 31 + HashTerm(t);
    const auto [at, is_new] = pool_.try_emplace(hash, made);
    // Others with this hash stay by themselves.
    return is_new || at->second == made ? at->second : made;
  }
  // Frees what is remembered, in steps between which it pauses.
  void Discard() {
    while (!pool_.empty()) {
      Pause();
      pool_.erase(pool_.begin());
    }
  }

 private:
  int64_t rank_;
  std::unordered_map<size_t, Parameter> pool_;
};

Parameter ParameterOf(const TreeNode& from, size_t param, ParameterPool* pool,
                      bool ranked) {
  if (const Distribution* d = from.DistributionOf(param)) {
    Distribution whole = *d;
    whole.EndRank();
    return Parameter::Of(std::move(whole));
  }
  return pool->Of(from.params.get()[param], ranked);
}

Node Finish(Draft draft, ParameterPool* pool) {
  Node node = std::move(draft.node);
  node.trips = pool->Of(draft.trips, false);
  node.children.reserve(draft.children.size());
  for (Draft& child : draft.children) {
    node.children.push_back(Finish(std::move(child), pool));
  }
  return node;
}

// above: the loops around it.
Draft DraftOf(TreeNode& from, int above, ParameterPool* pool,
              const std::vector<uint32_t>& site_map) {
  Pause();
  from.Settle();
  from.FoldApart();
  Draft draft;
  if (from.parent != nullptr) draft.trips = from.AllTrips();
  draft.may_follow = from.is_event() ? from.may_follow : true;
  for (const auto& child : from.children) {
    const int around = from.parent == nullptr ? above : above + 1;
    Draft made = DraftOf(*child, around, pool, site_map);
    // A loop that something follows becomes a loop of the loop and that.
    for (Draft& d : Split(std::move(made), around)) {
      draft.children.push_back(std::move(d));
    }
  }
  for (const Draft& child : draft.children) {
    draft.levels = std::max(draft.levels, child.levels + 1);
    draft.may_follow = draft.may_follow && child.may_follow;
  }
  if (from.parent == nullptr || !from.is_event()) return draft;
  Node& node = draft.node;
  node.kind = Node::Kind::kEvent;
  node.call = from.call;
  node.site = site_map[from.site];
  const auto params = Info(from.call).params;
  node.params.reserve(from.param_count());
  for (size_t i = 0; i < from.param_count(); ++i) {
    node.params.push_back(ParameterOf(from, i, pool, IsRank(params[i])));
  }
  node.times = TimesOf(from, site_map);
  return draft;
}

// What is not settled yet stays so in the copy.
void CopyTree(const TreeNode& from, TreeNode* to) {
  to->index = from.index;
  to->trips = from.trips;
  to->iteration = from.iteration;
  to->runs = from.runs;
  to->iterations = from.iterations;
  to->call = from.call;
  to->site = from.site;
  to->may_follow = from.may_follow;
  // Shared until one of the two changes.
  to->params = from.params;
  to->last = from.last;
  to->repeats = from.repeats;
  to->open = from.open;
  to->literal = from.literal;
  to->matched = from.matched;
  to->matches = from.matches;
  to->chosen = from.chosen;
  to->completed = from.completed;
  for (const auto& d : from.distributions) {
    to->distributions.push_back(
        d == nullptr ? nullptr : std::make_unique<Distribution>(*d));
  }
  to->first_call = from.first_call;
  for (const auto& t : from.times) {
    to->times.push_back(std::make_unique<TreeNode::TimesAfter>(*t));
  }
  to->children.reserve(from.children.size());
  for (const auto& child : from.children) {
    to->children.push_back(std::make_unique<TreeNode>());
    to->children.back()->parent = to;
    CopyTree(*child, to->children.back().get());
  }
}

class FrozenTree : public FrozenQueue {
 public:
  FrozenTree(const TreeNode& root, const CopyOnWrite<Sites>& sites)
      : sites_(sites) {
    CopyTree(root, &root_);
  }
  Trace ToTrace(int64_t rank, int64_t ranks) const override {
    return SnapshotOf(&root_, sites_.get(), rank, ranks);
  }

 private:
  mutable TreeNode root_;  // settled and folded by the first trace
  CopyOnWrite<Sites> sites_;
};

}  // namespace

Trace SnapshotOf(TreeNode* root, Sites sites, int64_t rank, int64_t ranks) {
  RANKSIGHT_REQUIRE(root != nullptr);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < ranks);
  Trace trace;
  trace.meta.ranks = ranks;
  trace.sites = std::move(sites);
  std::vector<uint32_t> site_map;
  Canonicalize(&trace.sites, &site_map);
  ParameterPool pool(rank);
  trace.root = Finish(DraftOf(*root, 0, &pool, site_map), &pool);
  pool.Discard();
  return trace;
}

std::unique_ptr<const FrozenQueue> FreezeTree(const TreeNode& root,
                                              const CopyOnWrite<Sites>& sites) {
  return std::make_unique<FrozenTree>(root, sites);
}

}  // namespace ranksight::reduction
