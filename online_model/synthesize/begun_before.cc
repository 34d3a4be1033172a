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

using Form = SequenceLaw::Form;

// How often something runs: in turn, or in each iteration of a loop around.
struct Turns {
  Form form = Form::kPositional;
  int loop = 0;
  std::vector<ExpressionPtr> laws;

  bool empty() const { return laws.empty(); }
  // kByIteration: the last for all further runs.
  const ExpressionPtr& At(size_t k) const {
    return laws[form == Form::kPositional ? k % laws.size()
                                          : std::min(k, laws.size() - 1)];
  }
};

// Empty where the trips have another form.
Turns TurnsOf(const SequenceLaw& trips) {
  Turns turns{trips.form, trips.loop, {}};
  const bool has_turns =
      trips.prefix.empty() &&
      (trips.form == Form::kPositional ||
       (trips.form == Form::kByIteration && trips.step == 1));
  if (!has_turns) return turns;
  for (const ScalarLaw& law : trips.values) {
    turns.laws.push_back(ExpressionOf(law));
    if (turns.laws.back() == nullptr) return {};
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
  for (ExpressionPtr& e : turns.laws) {
    e = AffineExpression(*each, std::move(e), 0);
  }
  return turns;
}

// Where some follow a loop the others have to be alike in all iterations of it,
// and the sum follows it. Nothing where they do not add up.
std::optional<SequenceLaw> SumOf(const std::vector<Turns>& begun) {
  SequenceLaw law;
  size_t places = 1;
  const auto by_loop =
      std::ranges::find(begun, Form::kByIteration, &Turns::form);
  if (by_loop != begun.end()) {
    law.form = Form::kByIteration;
    law.loop = by_loop->loop;
  }
  for (const Turns& turns : begun) {
    const size_t n = turns.laws.size();
    const bool adds_up =
        law.form == Form::kPositional || n == 1 ||
        (turns.form == Form::kByIteration && turns.loop == law.loop);
    if (!adds_up) return std::nullopt;
    places = law.form == Form::kPositional ? std::lcm(places, n)
                                           : std::max(places, n);
    if (places > kMostTurns) return std::nullopt;
  }
  for (size_t k = 0; k < places; ++k) {
    ExpressionPtr sum;
    for (const Turns& turns : begun) {
      sum = CombineNext(Expression::Op::kAdd, std::move(sum), turns.At(k));
    }
    law.values.push_back(OfExpression(std::move(sum)));
  }
  return law;
}

}  // namespace

std::optional<SequenceLaw> FindBegunBefore(
    const Node& around, const NodeLaw& laws, size_t child,
    std::span<const RankPattern> values) {
  std::vector<Turns> begun;
  for (size_t c = child; c-- > 0;) {
    const Node& node = around.children[c];
    if (node.is_event() && Waits(node)) break;
    // What begins and is waited for within a loop is done with.
    if (!Begins(node) || Waits(node)) continue;
    auto turns = BegunBy(node, laws.children[c]);
    if (!turns) return std::nullopt;
    begun.push_back(std::move(*turns));
  }
  if (begun.empty()) return std::nullopt;
  std::ranges::reverse(begun);
  auto law = SumOf(begun);
  if (!law) return std::nullopt;
  law->support = SupportOf(values);
  if (!ExplainsAll(*law, values)) return std::nullopt;
  return law;
}

}  // namespace ranksight::online_model
