#include "reduction/api/rank_table.h"

#include <algorithm>

#include "reduction/api/amounts.h"
#include "reduction/api/call.h"
#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

// Modulo 2^64: values of a damaged trace may be anything.
int64_t Shifted(int64_t value, int64_t by) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) +
                              static_cast<uint64_t>(by));
}

void FillPiece(const ParameterPiece& piece, std::vector<RankTable::Run>* runs) {
  // A piece of one run is read for all ranks in one pass; sections of any other
  // shape are looked up when they are asked for.
  const bool single = piece.shape.size() == 1 && piece.columns.size() == 3;
  SectionCursor ranks(&piece.ranks);
  SectionCursor value, stride, count;
  if (single) {
    value = SectionCursor(&piece.columns[0].values);
    stride = SectionCursor(&piece.columns[1].values);
    count = SectionCursor(&piece.columns[2].values);
  }
  while (!ranks.done()) {
    const int64_t rank = ranks.Next();
    RankTable::Run run{0, 0, 1, false};
    if (single) {
      run = {value.Next(), stride.Next(), static_cast<uint64_t>(count.Next()),
             true};
      if (piece.columns[0].relative && !IsSpecial(run.value)) {
        run.value = Shifted(run.value, rank);
      }
    }
    if (rank >= 0 && static_cast<size_t>(rank) < runs->size()) {
      (*runs)[static_cast<size_t>(rank)] = run;
    }
  }
}

void Count(std::span<const Term> terms, int64_t shift, uint64_t times,
           std::map<int64_t, uint64_t>* counts) {
  for (const Term& term : terms) {
    // A repetition without a stride only multiplies; with one every round has
    // values of its own.
    if (term.stride == 0 && term.body.empty()) {
      (*counts)[Shifted(term.value, shift)] += times * term.count;
    } else if (term.stride == 0) {
      Count(term.body, shift, times * term.count, counts);
    } else {
      int64_t at = shift;
      for (uint64_t i = 0; i < term.count; ++i) {
        if (term.body.empty()) {
          (*counts)[Shifted(term.value, at)] += times;
        } else {
          Count(term.body, at, times, counts);
        }
        at = Shifted(at, term.stride);
      }
    }
  }
}

}  // namespace

const Parameter* FindParameter(const Node& node, Param wanted) {
  RANKSIGHT_REQUIRE(node.is_event());
  const int at = ParamPlace(node.call, wanted);
  return at < 0 ? nullptr : &node.params[size_t(at)];
}

RankTable::RankTable(const Parameter& parameter, int64_t ranks)
    : parameter_(parameter), runs_(static_cast<size_t>(ranks)) {
  RANKSIGHT_REQUIRE(ranks >= 0);
  for (const ParameterPiece& piece : parameter.pieces()) {
    FillPiece(piece, &runs_);
  }
}

std::optional<int64_t> RankTable::Constant(int64_t rank) const {
  RANKSIGHT_REQUIRE(rank >= 0 && size_t(rank) < runs_.size());
  const Run& run = At(rank);
  if (run.count == 0) return std::nullopt;
  if (run.single) {
    if (run.stride != 0 && run.count > 1) return std::nullopt;
    return run.value;
  }
  const Section sequence = Sequence(rank);
  if (sequence.empty() || !sequence.IsConstant()) return std::nullopt;
  return sequence.At(0);
}

uint64_t RankTable::Count(int64_t rank) const {
  RANKSIGHT_REQUIRE(rank >= 0 && size_t(rank) < runs_.size());
  const Run& run = At(rank);
  return run.single ? run.count : Sequence(rank).size();
}

uint64_t RankTable::Sum(int64_t rank) const { return SumOf(Sequence(rank)); }

std::map<int64_t, uint64_t> Histogram(const Section& section) {
  std::map<int64_t, uint64_t> counts;
  Count(section.terms(), 0, 1, &counts);
  return counts;
}

}  // namespace ranksight::reduction
