#include "reduction/api/condense.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/merge/weight.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Fewer pieces are not worth the search.
constexpr size_t kLeastPieces = 3;
// Longest list laid out; each place costs a column over all ranks.
constexpr uint64_t kMaxPeriod = 64;

// Computation by predecessor is told apart where that moves more than this
// share of all computation from one place to another. Doubling it saves some
// hundred bytes in codes with many edges, and lets as much be drawn in the
// wrong place.
constexpr double kMatters = 2e-3;
// And where its means differ by more than chance: the variance between them,
// over that of the mean of as many that do not depend on the predecessor.
constexpr double kMoreThanChance = 4;

// A list repeated without change: its length, and how long all of it is.
struct Period {
  uint64_t length = 0;
  uint64_t total = 0;
};

// Where in terms the one long repetition stands, if there is one.
std::optional<size_t> LongRepetition(std::span<const Term> terms) {
  std::optional<size_t> found;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].body.empty() || terms[i].stride != 0) continue;
    if (!found || TermSize(terms[i]) > TermSize(terms[*found])) found = i;
  }
  return found;
}

// A section that is short is its own list. Otherwise it is one repetition,
// perhaps with the end of its list before it and the beginning behind.
std::optional<Period> PeriodOf(const Section& s) {
  if (s.size() <= kMaxPeriod) return Period{s.size(), s.size()};
  const auto at = LongRepetition(s.terms());
  if (!at) return std::nullopt;
  const Term& repeat = s.terms()[*at];
  const uint64_t length = TermsSize(repeat.body);
  if (length > kMaxPeriod) return std::nullopt;
  const uint64_t outside = s.size() - TermSize(repeat);
  // All else lies within one length of either end, so comparing each value
  // there with the one a length further on decides.
  uint64_t before = 0;
  for (size_t i = 0; i < *at; ++i) before += TermSize(s.terms()[i]);
  if (before > kMaxPeriod || outside - before > kMaxPeriod) return std::nullopt;
  for (uint64_t i = 0; i < before; ++i) {
    if (s.At(i) != s.At(i + length)) return std::nullopt;
  }
  for (uint64_t i = s.size() - (outside - before); i < s.size(); ++i) {
    if (s.At(i) != s.At(i - length)) return std::nullopt;
  }
  return Period{length, s.size()};
}

using ByRank = std::vector<std::pair<int64_t, Section>>;

// Every rank's list of `length` numbers, repeated `rounds` times: one piece,
// made column by column.
Parameter LaidOut(const ByRank& sections, uint64_t length, uint64_t rounds,
                  bool ranked) {
  ParameterPiece piece;
  std::vector<SectionCursor> lists;
  lists.reserve(sections.size());
  piece.columns.reserve(3 * (length + 1));
  for (const auto& [rank, section] : sections) {
    piece.ranks.Append(rank);
    lists.emplace_back(&section);
  }
  const auto add = [&](Section values, uint64_t count, bool relative) {
    piece.columns.push_back({relative, std::move(values)});
    piece.columns.push_back({false, Section::Constant(0, lists.size())});
    piece.columns.push_back(
        {false, Section::Constant(int64_t(count), lists.size())});
  };
  // The repetition comes first in preorder, with all of the list in its body.
  if (rounds > 1) {
    piece.shape.push_back(uint32_t(length));
    add(Section::Constant(0, lists.size()), rounds, false);
  }
  for (uint64_t i = 0; i < length; ++i) {
    Pause();
    Section values;
    for (size_t r = 0; r < lists.size(); ++r) {
      const int64_t v = lists[r].Next();
      values.Append(ranked && !IsSpecial(v) ? v - sections[r].first : v);
    }
    piece.shape.push_back(0);
    add(std::move(values), 1, ranked);
  }
  Parameter p;
  (void)Parameter::FromPieces({std::move(piece)}, &p);
  return p;
}

void CondenseParameter(bool ranked, Parameter* p) {
  if (p->pieces().size() < kLeastPieces) return;
  uint64_t length = 1, total = 0;
  const ByRank sections = p->ByRank();
  Pause();
  for (const auto& [rank, section] : sections) {
    const auto period = PeriodOf(section);
    if (!period || (total != 0 && period->total != total)) return;
    total = period->total;
    length = std::lcm(length, period->length);
    if (length > kMaxPeriod || total % length != 0) return;
  }
  Parameter laid_out = LaidOut(sections, length, total / length, ranked);
  if (WeightOf(laid_out) < WeightOf(*p)) *p = std::move(laid_out);
}

void CondenseNode(Node* node) {
  Pause();
  CondenseParameter(false, &node->trips);
  const auto params = Info(node->call).params;
  for (size_t i = 0; i < node->params.size(); ++i) {
    CondenseParameter(IsRank(params[i]), &node->params[i]);
  }
  for (Node& child : node->children) CondenseNode(&child);
}

// Whether parts differ by more than what can be united; computed: all there is.
bool AreWorthKeeping(const ComputeParts& parts, double computed) {
  Moments all;
  const auto of = [](const TimeSummary& t) -> const Moments& {
    return t.first.count > 0 ? t.first : t.rest.moments();
  };
  for (const auto& part : parts.apart()) all.Merge(of(part.compute));
  double moved = 0, between = 0, within = 0;
  for (const auto& part : parts.apart()) {
    const Moments& m = of(part.compute);
    const double away = m.Mean() - all.Mean(), n = double(m.count);
    moved += n * std::abs(away);
    between += n * away * away;
    within += n * m.Variance();
  }
  // As in an analysis of variance: what lies between the parts against what
  // chance within them would give.
  const double groups = double(parts.apart().size());
  const double free = std::max(1.0, double(all.count) - groups);
  return moved > kMatters * computed &&
         between / (groups - 1) > kMoreThanChance * within / free;
}

void CondenseTimes(Node* root) {
  double computed = 0;
  ForEachEvent(*root, [&computed](const Node& n) {
    computed += n.times.TotalCompute();
  });
  ForEachEvent(*root, [computed](Node& n) {
    for (ComputeParts* p : {&n.times.first_after, &n.times.rest_after}) {
      if (!p->apart().empty() && !AreWorthKeeping(*p, computed)) p->Unite();
    }
  });
}

}  // namespace

void Condense(Trace* trace) {
  RANKSIGHT_REQUIRE(trace != nullptr);
  for (Node& child : trace->root.children) CondenseNode(&child);
  CondenseTimes(&trace->root);
}

}  // namespace ranksight::reduction
