#include "online_model/synthesize/begun_before.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "online_model/structure/find_place_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;

// Sides of a grid, and both ways along each.
constexpr size_t kMostTurns = 12;

// How often something runs, in turn.
using Turns = std::vector<ExpressionPtr>;

// Empty where the trips have another form.
Turns TurnsOf(const SequenceLaw& trips) {
  Turns turns;
  if (trips.form != SequenceLaw::Form::kPositional || !trips.prefix.empty()) {
    return turns;
  }
  for (const ScalarLaw& law : trips.values) {
    turns.push_back(ExpressionOf(law));
    if (turns.back() == nullptr) return {};
  }
  return turns;
}

bool Waits(const Node& node) {
  if (node.is_event()) return reduction::Info(node.call).completes;
  return std::any_of(node.children.begin(), node.children.end(), Waits);
}

bool Begins(const Node& node) {
  if (node.is_event()) return reduction::Info(node.call).makes_request;
  return std::any_of(node.children.begin(), node.children.end(), Begins);
}

// How many requests an iteration of a loop makes, the same in all; nothing
// where that is not one number.
std::optional<int64_t> BegunInside(const Node& loop, const NodeLaw& law) {
  // A loop whose trips have no law yet has none inside either.
  if (law.children.size() != loop.children.size()) return std::nullopt;
  int64_t begun = 0;
  for (size_t c = 0; c < loop.children.size(); ++c) {
    if (!Begins(loop.children[c])) continue;
    const SequenceLaw& trips = law.children[c].trips;
    if (!loop.children[c].is_event() || !trips.IsOneNumber()) {
      return std::nullopt;
    }
    begun += trips.values[0].constant;
  }
  return begun;
}

// Of one sibling, in turn; nothing where that is not known.
std::optional<Turns> BegunBy(const Node& node, const NodeLaw& law) {
  const auto each =
      node.is_event() ? std::optional<int64_t>(1) : BegunInside(node, law);
  Turns turns = TurnsOf(law.trips);
  if (!each || turns.empty()) return std::nullopt;
  for (ExpressionPtr& e : turns) e = AffineExpression(*each, std::move(e), 0);
  return turns;
}

}  // namespace

std::optional<SequenceLaw> FindBegunBefore(
    const Node& around, const NodeLaw& laws, size_t child,
    std::span<const RankPattern> values) {
  std::vector<Turns> begun;
  size_t places = 1;
  for (size_t c = child; c-- > 0;) {
    const Node& node = around.children[c];
    if (node.is_event() && Waits(node)) break;
    // What begins and is waited for within a loop is done with.
    if (!Begins(node) || Waits(node)) continue;
    auto turns = BegunBy(node, laws.children[c]);
    if (!turns) return std::nullopt;
    places = std::lcm(places, turns->size());
    if (places > kMostTurns) return std::nullopt;
    begun.push_back(std::move(*turns));
  }
  if (begun.empty()) return std::nullopt;
  SequenceLaw law;
  law.support = SupportOf(values);
  for (size_t k = 0; k < places; ++k) {
    ExpressionPtr sum;
    for (size_t i = begun.size(); i-- > 0;) {
      const ExpressionPtr& e = begun[i][k % begun[i].size()];
      sum = sum == nullptr ? e : Combine(Expression::Op::kAdd, sum, e);
    }
    law.values.push_back(OfExpression(std::move(sum)));
  }
  if (!ExplainsAll(law, values)) return std::nullopt;
  return law;
}

}  // namespace ranksight::online_model
