// Joins messages of successive ranks into flows.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/api/load.h"

namespace ranksight::cli {

class FlowBuilder {
 public:
  explicit FlowBuilder(std::vector<bgq_support::Flow>* flows) : flows_(flows) {}

  // `bytes` in all from rank to peer. Ranks in ascending order join best.
  void Add(int64_t rank, int64_t peer, uint64_t bytes) {
    if (flows_->empty() || !Extend(rank, peer, bytes, &flows_->back())) {
      flows_->push_back({rank, 0, peer, 0, 1, bytes});
    }
  }

 private:
  static bool Extend(int64_t rank, int64_t peer, uint64_t bytes,
                     bgq_support::Flow* last) {
    if (last->bytes != bytes) return false;
    if (last->count == 1) {
      last->stride = rank - last->rank;
      last->peer_stride = peer - last->peer;
    } else if (last->rank + last->count * last->stride != rank ||
               last->peer + last->count * last->peer_stride != peer) {
      return false;
    }
    ++last->count;
    return true;
  }
  std::vector<bgq_support::Flow>* flows_;
};

}  // namespace ranksight::cli
