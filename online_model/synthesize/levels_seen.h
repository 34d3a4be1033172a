// LevelsSeen: what laws found so far show of multigrid levels
// (structure/levels.h): which loops run through which, how laws count the
// ranks that have a part in them; and the laws that follow elsewhere.
//
// Loops are named by their nodes in the first trace.
// Thread-safety: one search, one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "online_model/structure/find_levels.h"
#include "online_model/structure/sequence_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class LevelsSeen {
 public:
  using Node = reduction::Node;
  using Patterns = std::span<const RankPattern>;

  // Whether some law says what follows the last point.
  bool end() const { return end_; }
  // The levels that a loop is known to run through; nothing where laws do not
  // agree on them.
  std::optional<Levels> Of(const Node* loop) const;

  // Takes note of the law of an amount in the last loop of `path`, which are
  // the loops around it from the root's children on.
  void CollectAmount(const SequenceLaw& law, std::span<const Node* const> path,
                     const Node* loop);
  // The same where a short loop has a law for each place: whether those are
  // levels as other loops run through, in either order, is tried.
  void CollectAsElsewhere(const SequenceLaw& law, Patterns patterns,
                          SearchSpace space, std::span<const Node* const> path,
                          const Node* loop);
  // Takes note of a law of trips; levels: of the loop around, where known.
  void CollectTrips(const SequenceLaw& trips,
                    const std::optional<Levels>& levels, int ndims);

  // A loop through levels none of which any rank of the inputs sits out.
  void FollowLevels(const Node* loop, Patterns patterns,
                    SequenceLaw* trips) const;
  // A message at each level that is in every rank's iterations at all inputs:
  // ranks that other laws have sit out a level will not make it there.
  void SitOutLevels(const Node& event, const Levels& levels, int ndims,
                    Patterns patterns, SequenceLaw* trips) const;

 private:
  std::set<int64_t> PartsFrom() const;

  std::map<const Node*, std::set<Levels>> of_;
  // With the iterations of each level.
  std::map<const Node*, std::set<std::pair<Levels, int>>> loops_;
  std::set<int64_t> parts_from_;      // of level conditions
  std::set<Feature::Kind> coarsest_;  // how laws count coarsest levels
  bool end_ = false;
};

}  // namespace ranksight::online_model
