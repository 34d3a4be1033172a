#include "reduction/api/trace.h"

#include <algorithm>
#include <utility>

#include "reduction/api/total.h"

namespace ranksight::reduction {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 63;

uint64_t SaturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : std::min(sum, kMost);
}

using Wide = __int128;

bool ConstantColumn(const Column& c) {
  return c.values.terms().size() == 1 && c.values.IsConstant();
}

struct Totals {
  Wide sum = 0;     // over all ranks of the piece
  Wide length = 0;  // of one rank
};

// Sums columns instead of ranks; false where numbers that multiply each other
// both differ from rank to rank.
bool SumColumns(const ParameterPiece& piece, size_t begin, size_t end,
                Totals* out) {
  const Wide ranks = Wide(piece.ranks.size());
  for (size_t i = begin; i < end; i += 1 + piece.shape[i]) {
    const Column& value = piece.columns[3 * i];
    const Column& stride = piece.columns[3 * i + 1];
    const Column& count = piece.columns[3 * i + 2];
    if (value.relative || !ConstantColumn(stride)) return false;
    const Wide step = stride.values.At(0);
    // The usual one, runs of one value: value times the sum of all counts.
    if (piece.shape.size() == 1 && step == 0 && ConstantColumn(value)) {
      out->sum = Wide(value.values.At(0)) * count.values.Sum();
      return true;
    }
    if (!ConstantColumn(count)) return false;
    const Wide n = count.values.At(0);
    Totals body{value.values.Sum(), 1};
    if (piece.shape[i] > 0) {
      body = Totals();
      if (!SumColumns(piece, i + 1, i + 1 + piece.shape[i], &body)) {
        return false;
      }
    }
    // n rounds of the body, and the strides 0, step, 2 step, ... on each of its
    // values.
    out->sum += body.sum * n + step * (n * (n - 1) / 2) * body.length * ranks;
    out->length += body.length * n;
  }
  return true;
}

uint64_t Saturated(Wide v) {
  return v > Wide(kMost) ? kMost : v < 0 ? 0 : uint64_t(v);
}

uint64_t SumRanks(const Parameter& trips, const RankSet& ranks) {
  uint64_t total = 0;
  for (SectionCursor c(&ranks); !c.done();) {
    total = SaturatingAdd(total, uint64_t(trips.At(c.Next()).Sum()));
  }
  return total;
}

}  // namespace

uint64_t TotalOf(const Parameter& trips) {
  uint64_t total = 0;
  for (const ParameterPiece& piece : trips.pieces()) {
    Totals all;
    const bool summed = SumColumns(piece, 0, piece.shape.size(), &all);
    total = SaturatingAdd(
        total, summed ? Saturated(all.sum) : SumRanks(trips, piece.ranks));
  }
  return total;
}

uint64_t CountEvents(const Trace& trace) {
  uint64_t total = 0;
  ForEachEvent(trace.root, [&total](const Node& n) {
    total = SaturatingAdd(total, TotalOf(n.trips));
  });
  return total;
}

uint64_t CountEvents(const Trace& trace, int64_t rank) {
  uint64_t total = 0;
  ForEachEvent(trace.root, [&total, rank](const Node& n) {
    total = SaturatingAdd(total, uint64_t(n.trips.At(rank).Sum()));
  });
  return total;
}

namespace {
uint64_t CountNodesBelow(const Node& node) {
  uint64_t n = node.children.size();
  for (const Node& child : node.children) n += CountNodesBelow(child);
  return n;
}
}  // namespace

uint64_t CountNodes(const Trace& trace) { return CountNodesBelow(trace.root); }

void ForgetMatched(Trace* trace) {
  ForEachEvent(trace->root, [](Node& node) {
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] == Param::kMatchCount) {
        Parameter none;
        for (const auto& [rank, counts] : node.params[i].ByRank()) {
          // As many occurrences, each of which matched nothing.
          none.Add(rank, Section::Constant(0, counts.size()), false);
        }
        node.params[i] = std::move(none);
      } else if (IsArray(params[i]) &&
                 LengthOf(node.call, params[i]) == Param::kMatchCount) {
        node.params[i] = {};
      }
    }
  });
}

}  // namespace ranksight::reduction
