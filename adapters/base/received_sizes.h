// ReceivedSizes: how long messages are where they are received. A receive says
// what its program has room for; the k-th from a rank with a tag (of the
// format, message_tags.h) gets the k-th that this rank sent so.
//
// A rank whose receives are not all known (from any source, matched ones,
// cancelled ones, which may have received) keeps what it asked for: which
// message is the k-th is not known there. Memory: the sizes of each pair of
// ranks and tag that occurs, as sections. Thread-safety: immutable once found;
// a reader is one thread's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/operation_graph.h"
#include "reduction/api/section.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// Whether a receive may ask for more than it gets: false where all calls with
// a tag, senders and receivers, have one size. O(events of the structure x
// ranks).
bool ReceivesMayDiffer(const reduction::Trace& trace);

class ReceivedSizes {
 public:
  using Channel = std::pair<int64_t, int64_t>;  // sender or receiver, and tag
  // write: gives all operations of a rank to a sink, from any thread.
  using Write = std::function<reduction::Status(
      int64_t rank, OperationSink* sink, Conversion* conversion)>;
  static reduction::Result<ReceivedSizes> Find(int64_t ranks,
                                               const Write& write);

  // One rank's receives, in order.
  class Reader {
   public:
    Reader(const ReceivedSizes& sizes, int64_t rank)
        : of_rank_(sizes.of_[size_t(rank)]) {}
    // Of the next with that sender and tag; `asked` where nothing is known.
    int64_t Next(int64_t from, int64_t tag, int64_t asked);

   private:
    const std::map<Channel, reduction::Section>& of_rank_;
    std::map<Channel, reduction::SectionCursor> at_;
  };

 private:
  explicit ReceivedSizes(int64_t ranks) : of_(size_t(ranks)) {}
  std::vector<std::map<Channel, reduction::Section>> of_;  // by receiver
};

}  // namespace ranksight::adapters
