// ChannelTable: what each two ranks of a trace send each other, and what they
// post receives for, tag by tag, on all communicators together.
//
// Calls are taken node by node, with the ranks of each and runs of equal
// values as one, so that the cost is that of the sequences, not of looking for
// each rank in every piece of every parameter. Only traces with persistent
// requests, whose starts refer to earlier calls, are walked rank by rank.
//
// Thread-safety: one thread. Complexity: O(events) at most; memory O(pairs
// that talk).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reduction/api/rank_walk.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct Messages {
  uint64_t count = 0;
  int64_t bytes = 0;
};

struct ChannelKey {
  int64_t from = 0, to = 0, tag = 0;
  auto operator<=>(const ChannelKey&) const = default;
};

struct Channel {
  Messages sent, posted;
};

// Channels by key, in the order in which they were first asked for. One list
// and places in it, as twins have millions of them.
class ChannelList {
 public:
  using Entry = std::pair<ChannelKey, Channel>;

  // Made where it was not there; stays where it is until another one is asked
  // for.
  Channel& At(const ChannelKey& key);
  bool empty() const { return all_.empty(); }
  std::vector<Entry>::const_iterator begin() const { return all_.begin(); }
  std::vector<Entry>::const_iterator end() const { return all_.end(); }

 private:
  void MakeSlots(size_t count);

  std::vector<Entry> all_;
  // A power of two of them, at most half in use: places in the list, each at
  // the first free slot from its hash on.
  std::vector<uint32_t> slots_;
};

class ChannelTable {
 public:
  // Adds all of a trace. kNo where values are left as distributions only,
  // kBadInput where a parameter ends early.
  reduction::Status See(const reduction::Trace& trace);

  const ChannelList& channels() const { return channels_; }

  // Whether an end of the channel is a rank that is not there.
  bool LeadsOutside(const ChannelKey& key) const {
    return std::min(key.from, key.to) < 0 ||
           std::max(key.from, key.to) >= int64_t(takes_any_.size());
  }
  // Whether the receiver receives from any source, of any tag or by matched
  // probes, so that what it posts says nothing. REQUIRES: !LeadsOutside(key).
  bool IsOpen(const ChannelKey& key) const {
    return takes_any_[size_t(key.to)];
  }

  // The first channel, by sender, receiver and tag, that is `wanted`.
  template <class Wanted>
  std::optional<std::pair<ChannelKey, Channel>> First(Wanted wanted) const {
    std::optional<std::pair<ChannelKey, Channel>> first;
    for (const auto& [key, channel] : channels_) {
      if (!wanted(key, channel)) continue;
      if (!first || key < first->first) first.emplace(key, channel);
    }
    return first;
  }

 private:
  reduction::Status WalkRanks(const reduction::Trace& trace);
  reduction::Status SeeNode(const reduction::Node& node);
  void SeeRuns(reduction::Call call,
               const std::vector<const reduction::Section*>& params);
  void See(const reduction::Event& e, uint64_t times);
  void See(const reduction::Request& r, uint64_t times);
  void Send(int64_t to, int64_t tag, int64_t bytes, uint64_t times);
  void Receive(int64_t from, int64_t tag, int64_t bytes, uint64_t times);

  ChannelList channels_;
  std::vector<bool> takes_any_;
  int64_t rank_ = 0;
  reduction::Event event_;
};

}  // namespace ranksight::online_model
