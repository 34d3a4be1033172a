// Amounts that show too few numbers for a law of their own, and are like others
// of the program (structure/find_sibling.h).
//
// Laws are looked for twice: what others there are, not all of which come
// first, is known when all were seen. Thread-safety: value type.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/find_sibling.h"
#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {

class LikeOthers {
 public:
  // Keeps a law that is sure. What has none, or one that is not, follows one of
  // those kept before, once they are taken.
  void Look(std::span<const RankPattern> patterns, const SearchSpace& space,
            std::optional<SequenceLaw>* found);

  // Whether something is not sure that may follow others, once all are known;
  // and whether there are any.
  bool IsWaiting() const { return unsure_ && !taken_; }
  bool MayFollow() const { return IsWaiting() && !laws_.empty(); }
  void Take() { taken_ = true; }

 private:
  SiblingLaws laws_;
  bool unsure_ = false, taken_ = false;
};

}  // namespace ranksight::online_model
