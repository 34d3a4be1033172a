#include "online_model/synthesize/in_pieces.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "online_model/structure/find_place_law.h"
#include "reduction/api/call.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using Op = Expression::Op;
using Patterns = std::span<const RankPattern>;

// Visits until trip counts and amounts both begin again.
constexpr size_t kMostVisits = 64;

// Once in each iteration of the loop around.
bool RunsOnce(const Nodes& event) {
  return std::all_of(event.begin(), event.end(), [](const Node* n) {
    const auto all = n->trips.ByRank();
    return std::all_of(all.begin(), all.end(), [](const auto& rank) {
      return rank.second.IsConstant() && rank.second.At(0) == 1;
    });
  });
}

int64_t LargestOf(Patterns amounts) {
  int64_t largest = 0;
  for (const RankPattern& p : amounts) {
    for (const int64_t v : p.pattern.period) largest = std::max(largest, v);
  }
  return largest;
}

// The wholes of one rank's visits in turn. Nothing where pieces other than the
// last of each are smaller than the others; *any: set where some last one is.
std::optional<std::vector<int64_t>> WholesOf(const Pattern& trips,
                                             const Pattern& amounts,
                                             int64_t piece, bool* any) {
  const auto &visits = trips.period, &values = amounts.period;
  if (!trips.prefix.empty() || !amounts.prefix.empty()) return std::nullopt;
  const int64_t once =
      std::accumulate(visits.begin(), visits.end(), int64_t{0});
  if (once < 1 || values.empty()) return std::nullopt;
  const auto times = size_t(std::lcm(once, int64_t(values.size())) / once);
  if (times * visits.size() > kMostVisits) return std::nullopt;
  std::vector<int64_t> wholes;
  size_t at = 0;
  for (size_t visit = 0; visit < times * visits.size(); ++visit) {
    const int64_t n = visits[visit % visits.size()];
    int64_t whole = 0;
    for (int64_t k = 0; k < n; ++k) {
      const int64_t v = values[at++ % values.size()];
      if (v < 1 || (k + 1 < n && v != piece)) return std::nullopt;
      whole += v;
      *any = *any || (k > 0 && v != piece);
    }
    wholes.push_back(whole);
  }
  return Shortest(std::move(wholes));
}

// On every rank that has a part in the loop.
std::optional<std::vector<RankPattern>> WholesOf(Patterns trips,
                                                 Patterns amounts,
                                                 int64_t piece) {
  std::map<std::pair<const Grid*, int64_t>, const Pattern*> of;
  for (const RankPattern& p : amounts) {
    of[{p.where.grid, p.where.rank}] = &p.pattern;
  }
  std::vector<RankPattern> wholes;
  bool any = false;
  for (const RankPattern& p : trips) {
    const auto at = of.find({p.where.grid, p.where.rank});
    const bool none = at == of.end();
    if (none && p.pattern.period != std::vector<int64_t>{0})
      return std::nullopt;
    const auto whole = none ? std::optional(std::vector<int64_t>{0})
                            : WholesOf(p.pattern, *at->second, piece, &any);
    if (!whole) return std::nullopt;
    wholes.push_back({p.where, {{}, *whole}, p.rounds, {}});
  }
  if (!any) return std::nullopt;
  return wholes;
}

// The same law, with f of each value's expression; nothing where one has none.
template <class F>
std::optional<SequenceLaw> Each(const SequenceLaw& law, F&& f) {
  SequenceLaw to;
  to.support = law.support;
  for (const ScalarLaw& value : law.values) {
    const ExpressionPtr e = ExpressionOf(value);
    if (e == nullptr) return std::nullopt;
    to.values.push_back(OfExpression(f(e)));
  }
  return to;
}

ExpressionPtr PieceCount(const ExpressionPtr& whole, int64_t piece) {
  return Combine(Op::kDivide, AffineExpression(1, whole, piece - 1),
                 ConstantExpression(piece));
}

ExpressionPtr PieceAt(const ExpressionPtr& whole, int64_t piece) {
  const ExpressionPtr before =
      AffineExpression(piece, FeatureExpression(Feature::Kind::kPosition), 0);
  return Combine(Op::kMinimum, ConstantExpression(piece),
                 Combine(Op::kSubtract, whole, before));
}

}  // namespace

std::optional<SequenceLaw> InPieces::FindTrips(const Nodes& loop,
                                               std::span<const Grid> grids,
                                               Patterns trips,
                                               const Parents& inside,
                                               const SearchSpace& space) {
  if (trips.empty()) return std::nullopt;
  std::optional<SequenceLaw> found;
  for (size_t c = 0; c < loop[0]->children.size(); ++c) {
    const Nodes event = ChildOf(loop, c);
    if (!event[0]->is_event() || !RunsOnce(event)) continue;
    const auto params = reduction::Info(event[0]->call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (!reduction::IsAmount(params[i]) || reduction::IsArray(params[i])) {
        continue;
      }
      const auto amounts = PatternsOf(event, grids, i, &inside);
      if (!amounts) continue;
      const int64_t piece = LargestOf(*amounts);
      const auto wholes = WholesOf(trips, *amounts, piece);
      if (!wholes) continue;
      const auto whole = FindSequenceLaw(*wholes, space, nullptr);
      if (!whole || whole->form != SequenceLaw::Form::kPositional) continue;
      const auto count =
          Each(*whole, [piece](auto& e) { return PieceCount(e, piece); });
      auto each = Each(*whole, [piece](auto& e) { return PieceAt(e, piece); });
      if (!count || !each || !ExplainsAll(*count, trips)) continue;
      each->form = SequenceLaw::Form::kByVisit;
      each->loop = int(trips[0].rounds.size());
      amounts_[{event[0], i}] = std::move(*each);
      if (!found) found = count;
    }
  }
  return found;
}

std::optional<SequenceLaw> InPieces::FindAmount(const Nodes& event,
                                                size_t param,
                                                Patterns amounts) const {
  const auto kept = amounts_.find({event[0], param});
  if (kept == amounts_.end() || !ExplainsAll(kept->second, amounts)) {
    return std::nullopt;
  }
  return kept->second;
}

}  // namespace ranksight::online_model
