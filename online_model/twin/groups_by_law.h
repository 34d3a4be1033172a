// Who is together in communicators that laws make, and which member a root is
// that has no law.
// Thread-safety: immutable once made. Complexity: as Makings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "online_model/twin/makings.h"

namespace ranksight::online_model {

class GroupsByLaw {
 public:
  GroupsByLaw() = default;  // knows of none
  // REQUIRES: the tree outlives it.
  static GroupsByLaw Of(const TwinTree& tree, const InputRun& last,
                        const Grid& grid);

  // The rank that stands in this one's communicator where like_root does in
  // that of the like rank; nothing where either is not known.
  std::optional<int64_t> RootFor(int64_t rank, int64_t like, int64_t number,
                                 int64_t like_root) const;

 private:
  std::shared_ptr<const Makings> here_, there_;
};

}  // namespace ranksight::online_model
