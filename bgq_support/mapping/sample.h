// MessageSample: some messages of the traffic, to compare many mappings
// quickly, and to find out what grid the ranks form.
// Thread-safety: immutable once made.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/api/load.h"
#include "bgq_support/mapping/digits.h"

namespace ranksight::bgq_support {

struct SampledMessage {
  int64_t from = 0, to = 0;
  double bytes = 0;  // it stands for
};

// At most about `limit` messages, each kind of traffic by its share.
std::vector<SampledMessage> Sample(const Traffic& traffic, int64_t limit,
                                   uint64_t seed);

// Every message by itself, those of a rank to itself left out; none when there
// are more than `most`.
std::vector<SampledMessage> AllMessages(const Traffic& traffic, int64_t most);

// Grids of up to four dimensions on which the messages go short ways,
// shortest first, at most `most` of them; the line of all ranks is always
// among them.
std::vector<Lengths> LikelyGrids(const std::vector<SampledMessage>& messages,
                                 int64_t ranks, size_t most);

// Average load of the links of the most loaded dimension, plus a little for
// the others: what a mapping costs as far as the sample tells.
class SampleCost {
 public:
  SampleCost(const Torus& torus, std::vector<SampledMessage> messages)
      : torus_(torus), messages_(std::move(messages)) {}
  double operator()(const Layout& layout) const;

 private:
  const Torus& torus_;
  std::vector<SampledMessage> messages_;
};

}  // namespace ranksight::bgq_support
