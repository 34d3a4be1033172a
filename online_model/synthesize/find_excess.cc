#include "online_model/synthesize/find_excess.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/find_place_law.h"

namespace ranksight::online_model {
namespace {

using Patterns = std::span<const RankPattern>;

bool AreEqual(Patterns patterns) {
  return std::all_of(patterns.begin(), patterns.end(), [&](const auto& p) {
    return p.pattern == patterns[0].pattern;
  });
}

// Value by value; false where one begins in another way than it goes on.
bool AddTo(const Pattern& a, Pattern* b) {
  if (!a.prefix.empty() || !b->prefix.empty()) return false;
  if (a.period.empty() || b->period.empty()) return false;
  std::vector<int64_t> sums;
  const size_t n = std::lcm(a.period.size(), b->period.size());
  for (size_t k = 0; k < n; ++k) {
    sums.push_back(a.period[k % a.period.size()] +
                   b->period[k % b->period.size()]);
  }
  b->period = Shortest(std::move(sums));
  return true;
}

// Of laws for each place of a list.
std::optional<SequenceLaw> Difference(const SequenceLaw& a,
                                      const SequenceLaw& b) {
  using Form = SequenceLaw::Form;
  if (a.form != Form::kPositional || b.form != Form::kPositional ||
      !a.prefix.empty() || !b.prefix.empty()) {
    return std::nullopt;
  }
  SequenceLaw difference = a;
  difference.values.clear();
  const size_t n = std::lcm(a.values.size(), b.values.size());
  for (size_t k = 0; k < n; ++k) {
    const ExpressionPtr one = ExpressionOf(a.values[k % a.values.size()]);
    const ExpressionPtr other = ExpressionOf(b.values[k % b.values.size()]);
    if (one == nullptr || other == nullptr) return std::nullopt;
    ScalarLaw law;
    law.kind = ScalarLaw::Kind::kExpression;
    law.expression = Combine(Expression::Op::kSubtract, one, other);
    difference.values.push_back(std::move(law));
  }
  return difference;
}

}  // namespace

bool IsExcess(reduction::Param p) {
  using reduction::Param;
  return p == Param::kTypeExcess || p == Param::kRecvTypeExcess ||
         p == Param::kTargetTypeExcess || p == Param::kMadeExcess;
}

std::optional<SequenceLaw> FindExcessLaw(Patterns excesses, Patterns sizes,
                                         const SequenceLaw& size_law,
                                         const SearchSpace& space) {
  if (sizes.size() != excesses.size() || AreEqual(excesses)) {
    return std::nullopt;
  }
  std::vector<RankPattern> extents(excesses.begin(), excesses.end());
  for (size_t r = 0; r < extents.size(); ++r) {
    const bool same = sizes[r].where.grid == extents[r].where.grid &&
                      sizes[r].where.rank == extents[r].where.rank;
    if (!same || !AddTo(sizes[r].pattern, &extents[r].pattern)) {
      return std::nullopt;
    }
  }
  const auto extent = FindSequenceLaw(extents, space, nullptr);
  if (!extent) return std::nullopt;
  auto law = Difference(*extent, size_law);
  return law && ExplainsAll(*law, excesses) ? std::move(law) : std::nullopt;
}

}  // namespace ranksight::online_model
