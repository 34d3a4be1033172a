#include "online_model/structure/find_rest.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

constexpr int64_t kLargestWhole = int64_t{1} << 40;
// Bits by which a whole may be longer to say than the shortest.
constexpr double kLongerWhole = 6;
constexpr size_t kMostWholes = 16;  // the shortest
// Of numbers that leave the same rests, how many are looked at for one that
// also has the shares.
constexpr int kMostWholesTried = 64;

// All numbers that are `least` modulo `step`.
struct Progression {
  int64_t least = 0, step = 1;

  // Those that are v modulo m as well; false where there are none, or where
  // they are too far apart. By steps: m is as small as a run's ranks.
  bool Narrow(int64_t v, int64_t m) {
    for (int64_t i = 0; i < m; ++i, least += step) {
      if (least > kLargestWhole) return false;
      if ((least - v) % m != 0) continue;
      step = std::lcm(step, m);
      least %= step;
      return step <= kLargestWhole;
    }
    return false;
  }
};

// Of one size each.
struct SizedRest {
  int64_t parts = 0, value = 0;
};

std::vector<ExpressionPtr> PartsShared(int ndims) {
  using Kind = Feature::Kind;
  const ExpressionPtr ranks = FeatureExpression(Kind::kRanks);
  std::vector<ExpressionPtr> parts{ranks, AffineExpression(1, ranks, -1)};
  for (int d = 0; d < ndims && ndims > 1; ++d) {
    parts.push_back(FeatureExpression(Kind::kDim, d));
  }
  return parts;
}

std::vector<SizedRest> RestsOf(Samples ones, const Expression& parts,
                               int64_t factor) {
  std::vector<SizedRest> rests;
  for (const Sample& s : ones) {
    rests.push_back({parts.At(s.where), s.value / factor});
  }
  return rests;
}

bool IsRestOf(int64_t whole, const SizedRest& r, bool with_share) {
  return whole % r.parts + (with_share ? whole / r.parts : 0) == r.value;
}

// whole - rest is a multiple of the parts; less the share as well, one of the
// parts but one.
std::optional<Progression> WholesLeaving(std::span<const SizedRest> rests,
                                         bool with_share) {
  Progression wholes;
  for (const SizedRest& r : rests) {
    if (r.value < 0 || r.parts < 2) return std::nullopt;
    if (!with_share && r.value >= r.parts) return std::nullopt;
    const int64_t modulus = with_share ? r.parts - 1 : r.parts;
    if (!wholes.Narrow(r.value % modulus, modulus)) return std::nullopt;
  }
  return wholes;
}

// The wholes that leave these, shortest first, and none much longer.
std::vector<int64_t> ShortestWholes(std::span<const SizedRest> rests,
                                    bool with_share) {
  const auto wholes = WholesLeaving(rests, with_share);
  if (!wholes) return {};
  std::vector<int64_t> shortest;
  int64_t whole = wholes->least;
  for (int i = 0; i < kMostWholesTried && whole <= kLargestWhole; ++i) {
    if (!shortest.empty() &&
        ConstantCost(whole) > ConstantCost(shortest[0]) + kLongerWhole) {
      break;
    }
    const bool all = std::all_of(
        rests.begin(), rests.end(),
        [&](const SizedRest& r) { return IsRestOf(whole, r, with_share); });
    if (all && whole > 0) shortest.push_back(whole);
    if (shortest.size() == kMostWholes) break;
    whole += wholes->step;
  }
  return shortest;
}

// Of the wholes that other laws share out among as many, or of which they say
// what is left, the one that leaves these; nullopt where there are none, or
// several.
std::optional<int64_t> SharedOut(std::span<const SizedRest> rests,
                                 const Expression& parts, bool with_share,
                                 const SaidParts& said) {
  constexpr int64_t kMostLooked = 1000;
  std::set<int64_t> leaves;
  const std::string text = parts.ToString();
  for (const auto wholes : {said.shared(), said.left()}) {
    for (const SharedWhole& shared : wholes) {
      if (shared.parts->ToString() != text) continue;
      const int64_t high = std::min(shared.high, shared.low + kMostLooked);
      for (int64_t whole = shared.low; whole <= high; ++whole) {
        const bool all =
            std::all_of(rests.begin(), rests.end(), [&](const SizedRest& r) {
              return r.parts > 0 && IsRestOf(whole, r, with_share);
            });
        if (all) leaves.insert(whole);
      }
    }
  }
  if (leaves.size() != 1) return std::nullopt;
  return *leaves.begin();
}

// By what a number of each size may be what is left.
struct Way {
  ExpressionPtr parts;
  int64_t factor = 1;
  bool with_share = false;
};

std::vector<Way> WaysOf(Samples samples, int ndims) {
  int64_t all = 0;
  for (const Sample& s : samples) all = std::gcd(all, s.value);
  std::vector<Way> ways;
  for (const ExpressionPtr& parts : PartsShared(ndims)) {
    for (const bool with_share : {false, true}) {
      ways.push_back({parts, 1, with_share});
      if (all > 1) ways.push_back({parts, all, with_share});
    }
  }
  return ways;
}

// One of each size; none where samples are no numbers of something left, or of
// too few sizes to say anything of a whole.
std::vector<Sample> OnesThatMayBeLeft(Samples samples) {
  constexpr size_t kFewestSizes = 3;
  if (!DependOnSizeOnly(samples)) return {};
  std::vector<Sample> ones = OneOfEachSize(samples);
  const bool may_be = ones.size() >= kFewestSizes &&
                      std::all_of(ones.begin(), ones.end(),
                                  [](const Sample& s) { return s.value >= 0; });
  return may_be ? ones : std::vector<Sample>();
}

ExpressionPtr RestOf(int64_t whole, const Way& way) {
  const ExpressionPtr all = ConstantExpression(whole);
  ExpressionPtr rest = Combine(Op::kRemainder, all, way.parts);
  if (way.with_share) {
    rest = Combine(Op::kAdd, Combine(Op::kDivide, all, way.parts),
                   std::move(rest));
  }
  return AffineExpression(way.factor, std::move(rest), 0);
}

}  // namespace

std::vector<Rest> PossibleRests(Samples samples, int ndims) {
  const std::vector<Sample> ones = OnesThatMayBeLeft(samples);
  if (ones.empty()) return {};
  std::vector<Rest> all;
  for (const Way& way : WaysOf(ones, ndims)) {
    const auto rests = RestsOf(ones, *way.parts, way.factor);
    for (const int64_t whole : ShortestWholes(rests, way.with_share)) {
      all.push_back({RestOf(whole, way), whole, way.parts});
    }
  }
  return all;
}

ExpressionPtr FindRest(Samples samples, const SearchSpace& space) {
  if (space.said == nullptr ||
      (space.said->shared().empty() && space.said->left().empty())) {
    return nullptr;
  }
  const std::vector<Sample> ones = OnesThatMayBeLeft(samples);
  if (ones.empty()) return nullptr;
  for (const Way& way : WaysOf(ones, space.ndims)) {
    const auto rests = RestsOf(ones, *way.parts, way.factor);
    const auto one = SharedOut(rests, *way.parts, way.with_share, *space.said);
    if (one) return RestOf(*one, way);
  }
  return nullptr;
}

bool IsWholeModulo(const Expression& e) {
  return e.op == Op::kRemainder && e.a->op == Op::kConstant;
}

}  // namespace ranksight::online_model
