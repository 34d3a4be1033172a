#include "reduction/api/traffic.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reduction/api/amounts.h"
#include "reduction/api/cursor.h"
#include "reduction/api/distribution.h"
#include "reduction/api/event.h"
#include "reduction/api/occurrences.h"
#include "reduction/api/rank_table.h"
#include "reduction/api/sends.h"

namespace ranksight::reduction {
namespace {

bool HasPersistent(const Node& node) {
  if (node.is_event() && SendsWhenStarted(node.call)) return true;
  return std::any_of(node.children.begin(), node.children.end(), HasPersistent);
}

// What one rank sends where nothing is persistent: node by node, each from
// its compressed parameters where these are regular enough.
class NodeSends {
 public:
  explicit NodeSends(int64_t rank) : rank_(rank) {}

  void See(const Node& node) {
    for (const Node& child : node.children) See(child);
    if (!node.is_event() || !SendsAtOnce(node.call)) return;
    const Parameter* peer = FindParameter(node, Param::kPeer);
    const Parameter* count = FindParameter(node, Param::kCount);
    if (peer == nullptr || count == nullptr || !peer->Has(rank_)) return;
    const Parameter* size = FindParameter(node, Param::kTypeSize);
    if (size == nullptr) return;
    const Section peers = peer->At(rank_);
    const Section counts = count->At(rank_), sizes = size->At(rank_);
    const auto calls = static_cast<uint64_t>(node.trips.At(rank_).Sum());
    if (peers.size() != calls || counts.size() != calls ||
        sizes.size() != calls) {
      contradicts_ = true;
    } else if (calls == 0) {
      return;
    } else if (!sizes.IsConstant()) {
      WalkNode(node);
    } else if (counts.IsConstant()) {
      const uint64_t bytes =
          Times(AmountOf(counts.At(0)), AmountOf(sizes.At(0)));
      for (const auto& [to, times] : Histogram(peers)) {
        Send(to, times, Times(bytes, times));
      }
    } else if (peers.IsConstant()) {
      Send(peers.At(0), peers.size(),
           Times(SumOf(counts), AmountOf(sizes.At(0))));
    } else {
      WalkNode(node);
    }
  }
  // Whether a sequence was not as long as the trip counts say.
  bool contradicts() const { return contradicts_; }
  std::map<int64_t, Traffic> Take() { return std::move(traffic_); }

 private:
  void WalkNode(const Node& node) {
    Occurrences at(node, rank_);
    while (at.Next()) {
      Send(at.event().Get(Param::kPeer), 1, SentBy(at.event()));
    }
  }
  void Send(int64_t to, uint64_t messages, uint64_t bytes) {
    if (IsSpecial(to)) return;
    Traffic& traffic = traffic_[to];
    traffic.messages += messages;
    traffic.bytes = Plus(traffic.bytes, bytes);
  }

  const int64_t rank_;
  bool contradicts_ = false;
  std::map<int64_t, Traffic> traffic_;
};

// Persistent sends count where they are started, so the calls are walked.
Result<std::map<int64_t, Traffic>> WalkCalls(const Trace& trace, int64_t rank) {
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  StartedSends started;
  std::map<int64_t, Traffic> traffic;
  const auto send = [&](int64_t to, uint64_t bytes) {
    if (IsSpecial(to)) return;
    ++traffic[to].messages;
    traffic[to].bytes = Plus(traffic[to].bytes, bytes);
  };
  while (cursor->Next()) {
    const Event& event = cursor->event();
    started.See(event, send);
    if (SendsAtOnce(event.call())) {
      send(event.Get(Param::kPeer), SentBy(event));
    }
  }
  if (!cursor->status().ok()) return cursor->status();
  return traffic;
}

Result<std::map<int64_t, Traffic>> Collect(const Trace& trace, int64_t rank) {
  if (HasPersistent(trace.root)) return WalkCalls(trace, rank);
  NodeSends sends(rank);
  sends.See(trace.root);
  // The walk says where.
  if (sends.contradicts()) return WalkCalls(trace, rank);
  return sends.Take();
}

}  // namespace

Result<std::map<int64_t, Traffic>> TrafficFrom(const Trace& trace,
                                               int64_t rank) {
  const Status exact = RequireValues(trace);
  if (!exact.ok()) return exact;
  auto traffic = Collect(trace, rank);
  if (!traffic.ok()) return traffic;
  for (const auto& [to, sent] : *traffic) {
    const Status there = CheckPeer(rank, to, trace.meta.ranks);
    if (!there.ok()) return there;
    if (sent.bytes == kTooMany) return TooManyBytes();
  }
  return traffic;
}

}  // namespace ranksight::reduction
