#include "reduction/api/totals.h"

#include <algorithm>
#include <map>
#include <optional>

#include "reduction/api/amounts.h"
#include "reduction/api/comm_sizes.h"
#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/api/event.h"
#include "reduction/api/occurrences.h"
#include "reduction/api/rank_table.h"

namespace ranksight::reduction {
namespace {

// The value that all occurrences on all ranks share, if there is one.
std::optional<int64_t> OnlyValue(const Parameter& parameter) {
  std::optional<int64_t> only;
  for (const ParameterPiece& piece : parameter.pieces()) {
    if (piece.shape != Shape{0} || piece.columns.size() != 3) {
      return std::nullopt;
    }
    const Column& value = piece.columns[0];
    const Column& stride = piece.columns[1];
    if (value.relative || !value.values.IsConstant() ||
        !stride.values.IsConstant() || stride.values.empty() ||
        stride.values.At(0) != 0 || value.values.empty()) {
      return std::nullopt;
    }
    const int64_t v = value.values.At(0);
    if (only.has_value() && *only != v) return std::nullopt;
    only = v;
  }
  return only;
}

struct Side {
  Param count, counts, size, sizes;
};
constexpr Side kSend{Param::kCount, Param::kCounts, Param::kTypeSize,
                     Param::kTypeSizes};
constexpr Side kReceive{Param::kRecvCount, Param::kRecvCounts,
                        Param::kRecvTypeSize, Param::kRecvTypeSizes};

bool Has(const Node& node, Param param) {
  return FindParameter(node, param) != nullptr;
}

// Messages are made of so many parts, if always of as many.
std::optional<uint64_t> Partitions(const Node& node) {
  const Parameter* partitions = FindParameter(node, Param::kPartitions);
  if (partitions == nullptr || partitions->empty()) return 1;
  const auto one = OnlyValue(*partitions);
  return one ? std::optional(AmountOf(*one)) : std::nullopt;
}

// count x size over everything when one of both never changes; nothing when
// only a walk can tell.
std::optional<uint64_t> SideBytes(const Node& node, const Side& side) {
  const auto parts = Partitions(node);
  const Parameter* counts = FindParameter(node, side.count);
  if (counts == nullptr) counts = FindParameter(node, side.counts);
  const Parameter* sizes = FindParameter(node, side.sizes);
  // Several counts may have one size.
  const bool paired = sizes != nullptr || Has(node, side.count);
  if (sizes == nullptr) sizes = FindParameter(node, side.size);
  if (counts == nullptr || sizes == nullptr || counts->empty()) return 0;
  if (!parts) return std::nullopt;
  if (const auto one = OnlyValue(*sizes)) {
    return Times(Times(*parts, AmountOf(*one)), SumOverRanks(*counts));
  }
  if (!paired || counts->distribution() != nullptr) return std::nullopt;
  if (const auto one = OnlyValue(*counts)) {
    return Times(Times(*parts, AmountOf(*one)), SumOverRanks(*sizes));
  }
  return std::nullopt;
}

// Sizes of all ranks' communicators, found when first asked for.
class SizesOfRanks {
 public:
  explicit SizesOfRanks(const Trace& trace) : trace_(trace) {}
  const CommSizes& At(int64_t rank) {
    const auto at = of_rank_.find(rank);
    if (at != of_rank_.end()) return at->second;
    return of_rank_.emplace(rank, CommSizes::Find(trace_, rank)).first->second;
  }

 private:
  const Trace& trace_;
  std::map<int64_t, CommSizes> of_rank_;
};

// How many members the communicators of an event's calls have.
struct Members {
  std::optional<uint64_t> all_alike;
  double mean = 1;
};

Members MembersOf(const Node& node, SizesOfRanks* sizes) {
  Members members;
  double sum = 0, calls = 0;
  bool alike = true;
  for (const auto& [rank, numbers] :
       FindParameter(node, Param::kComm)->ByRank()) {
    for (SectionCursor at(&numbers); !at.done();) {
      uint64_t times = 0;
      const int64_t number = at.NextRun(&times);
      const uint64_t size = AmountOf(sizes->At(rank).Of(number));
      alike = alike && (!members.all_alike || *members.all_alike == size);
      members.all_alike = size;
      sum += double(size) * double(times);
      calls += double(times);
    }
  }
  // Where all communicators are as large, sums are exact; elsewhere the mean,
  // over calls, is an estimate.
  if (!alike) members.all_alike.reset();
  if (calls > 0) members.mean = sum / calls;
  return members;
}

void WalkBytes(const Trace& trace, const Node& node, SizesOfRanks* sizes,
               EventTotal* total) {
  const bool gives_shares = GivesShares(node.call);
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    Occurrences at(node, rank, gives_shares ? &sizes->At(rank) : nullptr);
    while (at.Next()) {
      total->sent = Plus(total->sent, SentBy(at.event()));
      total->received = Plus(total->received, PostedBy(at.event()));
    }
  }
}

bool LacksValues(const Node& node) {
  return std::any_of(
      node.params.begin(), node.params.end(),
      [](const Parameter& p) { return p.distribution() != nullptr; });
}

// Amounts left only as distributions, of elements of several sizes: their
// mean size is the best there is.
uint64_t EstimateBytes(const Node& node, const Side& side) {
  const Parameter* counts = FindParameter(node, side.count);
  if (counts == nullptr) counts = FindParameter(node, side.counts);
  const Parameter* sizes = FindParameter(node, side.size);
  if (sizes == nullptr) sizes = FindParameter(node, side.sizes);
  if (counts == nullptr || sizes == nullptr) return 0;
  uint64_t values = 0;
  for (const auto& [rank, section] : sizes->ByRank()) values += section.size();
  if (values == 0) return 0;
  const double mean = double(SumOverRanks(*sizes)) / double(values);
  const double bytes = mean * double(SumOverRanks(*counts));
  return bytes < 0x1p64 ? static_cast<uint64_t>(bytes) : kTooMany;
}

// Nothing where only a walk can tell.
std::optional<uint64_t> AllSent(const Node& node, SizesOfRanks* sizes) {
  const auto bytes = SideBytes(node, kSend);
  if (!bytes || !GivesShares(node.call)) return bytes;
  const auto members = MembersOf(node, sizes).all_alike;
  return members ? std::optional(Times(*bytes, *members)) : std::nullopt;
}

uint64_t EstimateSent(const Node& node, SizesOfRanks* sizes) {
  const uint64_t bytes = EstimateBytes(node, kSend);
  if (!GivesShares(node.call)) return bytes;
  const double all = double(bytes) * MembersOf(node, sizes).mean;
  return all < 0x1p64 ? static_cast<uint64_t>(all) : kTooMany;
}

void AddBytes(const Trace& trace, const Node& node, SizesOfRanks* sizes,
              EventTotal* total) {
  const Parameter* in_place = FindParameter(node, Param::kInPlace);
  auto send = AllSent(node, sizes);
  auto receive = SideBytes(node, kReceive);
  if (!send.has_value() || !receive.has_value() ||
      (in_place != nullptr && OnlyValue(*in_place) != 0)) {
    if (!LacksValues(node)) return WalkBytes(trace, node, sizes, total);
    total->estimated = true;
    send = EstimateSent(node, sizes);
    receive = EstimateBytes(node, kReceive);
  }
  // Receives carry what they post as `count`; the _replace calls send and
  // receive the same buffer.
  const bool one_buffer =
      Has(node, Param::kRecvPeer) && !Has(node, Param::kRecvCount);
  const bool receives = OnlyReceives(node.call);
  if (!receives) total->sent = *send;
  total->received = receives || one_buffer ? *send : *receive;
}

}  // namespace

uint64_t EventTotal::TimedCount() const { return times.call.Occurrences(); }

double EventTotal::MeanCall() const {
  const uint64_t n = TimedCount();
  return n == 0 ? 0 : times.TotalCall() / static_cast<double>(n);
}

double EventTotal::CallQuantile(double q) const {
  RANKSIGHT_REQUIRE(q >= 0 && q <= 1);
  if (times.call.rest.moments().count > 0) return times.call.rest.Quantile(q);
  if (times.call.first.count == 0) return 0;
  return q < 0.75 ? times.call.first.Mean() : times.call.first.max;
}

bool EventTotal::SameAmounts(const EventTotal& other) const {
  return count == other.count && sent == other.sent &&
         received == other.received;
}

void EventTotal::Merge(const EventTotal& other) {
  count = Plus(count, other.count);
  sent = Plus(sent, other.sent);
  received = Plus(received, other.received);
  estimated = estimated || other.estimated;
  times.Merge(other.times);
}

Result<std::vector<EventTotal>> TotalsBySite(const Trace& trace) {
  std::vector<EventTotal> totals;
  std::map<std::pair<Call, uint32_t>, size_t> index;
  EventTotal all;
  SizesOfRanks sizes(trace);
  ForEachEvent(trace.root, [&](const Node& node) {
    EventTotal total;
    total.call = node.call;
    total.site = node.site;
    total.count = SumOverRanks(node.trips);
    total.times = node.times;
    AddBytes(trace, node, &sizes, &total);
    all.Merge(total);
    const auto [at, is_new] =
        index.try_emplace({node.call, node.site}, totals.size());
    if (is_new) {
      totals.push_back(std::move(total));
    } else {
      totals[at->second].Merge(total);
    }
  });
  // Sums saturate, so that one look at the end is enough.
  if (all.sent == kTooMany || all.received == kTooMany) return TooManyBytes();
  return totals;
}

std::vector<EventTotal> TotalsByCall(const std::vector<EventTotal>& by_site) {
  std::map<Call, EventTotal> totals;
  for (const EventTotal& total : by_site) {
    EventTotal& sum = totals[total.call];
    sum.call = total.call;
    sum.Merge(total);
  }
  std::vector<EventTotal> out;
  for (auto& [call, total] : totals) out.push_back(std::move(total));
  return out;
}

}  // namespace ranksight::reduction
