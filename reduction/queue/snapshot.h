// One rank's folded queue as a trace.
#pragma once

#include <cstdint>
#include <memory>

#include "reduction/api/copy_on_write.h"
#include "reduction/api/folder.h"
#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {

// The queue below root, whose events name sites of `sites`. Settles every
// node. Pauses.
Trace SnapshotOf(TreeNode* root, Sites sites, int64_t rank, int64_t ranks);

// A copy of the same to make the trace of later. Names variants of the
// folder, which has to outlive it.
std::unique_ptr<const FrozenQueue> FreezeTree(const TreeNode& root,
                                              const CopyOnWrite<Sites>& sites);

}  // namespace ranksight::reduction
