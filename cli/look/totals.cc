#include "cli/look/totals.h"

#include <algorithm>
#include <map>
#include <optional>

#include "cli/look/occurrences.h"
#include "reduction/api/distribution.h"
#include "reduction/api/event.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::Column;
using reduction::Event;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::ParameterPiece;
using reduction::Section;
using reduction::Trace;

bool AllConstant(const ParameterPiece& piece, size_t column_of_term) {
  for (size_t i = column_of_term; i < piece.columns.size(); i += 3) {
    if (!piece.columns[i].values.IsConstant()) return false;
  }
  return true;
}

// Adds up a piece whose strides and counts are the same on all its ranks: a
// term's values then count as often on each of them.
class PieceSum {
 public:
  explicit PieceSum(const ParameterPiece& piece) : piece_(piece) {}

  uint64_t All() {
    while (at_ < piece_.shape.size()) Add(1, 0);
    return sum_;
  }

 private:
  uint64_t First(size_t term, size_t which) const {
    return static_cast<uint64_t>(piece_.columns[3 * term + which].values.At(0));
  }
  // `times` is how often the term stands in the sequence, `shift` what the
  // strides around it add to one value, summed over those times.
  void Add(uint64_t times, uint64_t shift) {
    const size_t term = at_++;
    const uint64_t stride = First(term, 1), count = First(term, 2);
    const uint64_t steps = Triangle(count);
    const uint64_t ranks = piece_.ranks.size();
    if (piece_.shape[term] == 0) {
      const Column& value = piece_.columns[3 * term];
      uint64_t values = static_cast<uint64_t>(value.values.Sum());
      if (value.relative) values += static_cast<uint64_t>(piece_.ranks.Sum());
      sum_ += times * count * values +
              ranks * (count * shift + times * stride * steps);
      return;
    }
    const size_t end = at_ + piece_.shape[term];
    while (at_ < end) {
      Add(times * count, count * shift + times * stride * steps);
    }
  }
  // 0 + 1 + ... + (n - 1)
  static uint64_t Triangle(uint64_t n) {
    return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  }

  const ParameterPiece& piece_;
  size_t at_ = 0;
  uint64_t sum_ = 0;
};

uint64_t SumByRank(const Parameter& parameter, const Section& ranks) {
  uint64_t sum = 0;
  for (reduction::SectionCursor at(&ranks); !at.done();) {
    sum += static_cast<uint64_t>(parameter.At(at.Next()).Sum());
  }
  return sum;
}

// The value that all occurrences on all ranks share, if there is one.
std::optional<int64_t> OnlyValue(const Parameter& parameter) {
  std::optional<int64_t> only;
  for (const ParameterPiece& piece : parameter.pieces()) {
    if (piece.shape != reduction::Shape{0} || piece.columns.size() != 3) {
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

const Parameter* ParamOf(const Node& node, Param param) {
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < params.size() && i < node.params.size(); ++i) {
    if (params[i] == param) return &node.params[i];
  }
  return nullptr;
}

struct Side {
  Param count, counts, size, sizes;
};
constexpr Side kSend{Param::kCount, Param::kCounts, Param::kTypeSize,
                     Param::kTypeSizes};
constexpr Side kReceive{Param::kRecvCount, Param::kRecvCounts,
                        Param::kRecvTypeSize, Param::kRecvTypeSizes};

bool Has(const Node& node, Param param) {
  return ParamOf(node, param) != nullptr;
}

// Messages are made of so many parts, if always of as many.
std::optional<uint64_t> Partitions(const Node& node) {
  const Parameter* partitions = ParamOf(node, Param::kPartitions);
  if (partitions == nullptr || partitions->empty()) return 1;
  const auto one = OnlyValue(*partitions);
  return one ? std::optional(static_cast<uint64_t>(*one)) : std::nullopt;
}

// count x size over everything when one of both never changes; nothing when
// only a walk can tell.
std::optional<uint64_t> SideBytes(const Node& node, const Side& side) {
  const auto parts = Partitions(node);
  const Parameter* counts = ParamOf(node, side.count);
  if (counts == nullptr) counts = ParamOf(node, side.counts);
  const Parameter* sizes = ParamOf(node, side.sizes);
  // Several counts may have one size.
  const bool paired = sizes != nullptr || Has(node, side.count);
  if (sizes == nullptr) sizes = ParamOf(node, side.size);
  if (counts == nullptr || sizes == nullptr || counts->empty()) return 0;
  if (!parts) return std::nullopt;
  if (const auto one = OnlyValue(*sizes)) {
    return *parts * static_cast<uint64_t>(*one) * SumOverRanks(*counts);
  }
  if (!paired || counts->distribution() != nullptr) return std::nullopt;
  if (const auto one = OnlyValue(*counts)) {
    return *parts * static_cast<uint64_t>(*one) * SumOverRanks(*sizes);
  }
  return std::nullopt;
}

void WalkBytes(const Trace& trace, const Node& node, EventTotal* total) {
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    Occurrences at(node, rank);
    while (at.Next()) {
      total->sent += static_cast<uint64_t>(SendBytes(at.event()));
      total->received += static_cast<uint64_t>(RecvBytes(at.event()));
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
  const Parameter* counts = ParamOf(node, side.count);
  if (counts == nullptr) counts = ParamOf(node, side.counts);
  const Parameter* sizes = ParamOf(node, side.size);
  if (sizes == nullptr) sizes = ParamOf(node, side.sizes);
  if (counts == nullptr || sizes == nullptr) return 0;
  uint64_t values = 0;
  for (const auto& [rank, section] : sizes->ByRank()) values += section.size();
  if (values == 0) return 0;
  const auto mean = double(SumOverRanks(*sizes)) / double(values);
  return static_cast<uint64_t>(mean * double(SumOverRanks(*counts)));
}

void AddBytes(const Trace& trace, const Node& node, EventTotal* total) {
  const Parameter* in_place = ParamOf(node, Param::kInPlace);
  auto send = SideBytes(node, kSend);
  auto receive = SideBytes(node, kReceive);
  if (!send.has_value() || !receive.has_value() ||
      (in_place != nullptr && OnlyValue(*in_place) != 0)) {
    if (!LacksValues(node)) return WalkBytes(trace, node, total);
    total->estimated = true;
    send = EstimateBytes(node, kSend);
    receive = EstimateBytes(node, kReceive);
  }
  // Receives carry what they post as `count`; the _replace calls send and
  // receive the same buffer.
  const bool one_buffer =
      Has(node, Param::kRecvPeer) && !Has(node, Param::kRecvCount);
  const bool receives = reduction::OnlyReceives(node.call);
  if (!receives) total->sent += *send;
  total->received += receives || one_buffer ? *send : *receive;
}

}  // namespace

uint64_t SumOverRanks(const Parameter& parameter) {
  if (parameter.distribution() != nullptr) {
    return static_cast<uint64_t>(parameter.distribution()->sum());
  }
  uint64_t sum = 0;
  for (const ParameterPiece& piece : parameter.pieces()) {
    if (AllConstant(piece, 1) && AllConstant(piece, 2)) {
      sum += PieceSum(piece).All();
    } else {
      sum += SumByRank(parameter, piece.ranks);
    }
  }
  return sum;
}

uint64_t EventTotal::TimedCount() const { return times.call.Occurrences(); }

double EventTotal::MeanCall() const {
  const uint64_t n = TimedCount();
  return n == 0 ? 0 : times.TotalCall() / static_cast<double>(n);
}

double EventTotal::CallQuantile(double q) const {
  if (times.call.rest.moments().count > 0) return times.call.rest.Quantile(q);
  if (times.call.first.count == 0) return 0;
  return q < 0.75 ? times.call.first.Mean() : times.call.first.max;
}

void EventTotal::Merge(const EventTotal& other) {
  count += other.count;
  sent += other.sent;
  received += other.received;
  estimated = estimated || other.estimated;
  times.Merge(other.times);
}

std::vector<EventTotal> TotalsBySite(const Trace& trace) {
  std::vector<EventTotal> totals;
  std::map<std::pair<Call, uint32_t>, size_t> index;
  ForEachEvent(trace.root, [&](const Node& node) {
    EventTotal total;
    total.call = node.call;
    total.site = node.site;
    total.count = SumOverRanks(node.trips);
    total.times = node.times;
    AddBytes(trace, node, &total);
    const auto [at, is_new] =
        index.try_emplace({node.call, node.site}, totals.size());
    if (is_new) {
      totals.push_back(std::move(total));
    } else {
      totals[at->second].Merge(total);
    }
  });
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

}  // namespace ranksight::cli
