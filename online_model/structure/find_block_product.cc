#include "online_model/structure/find_block_product.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/said_along_sides.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Points of a halo on both sides together.
constexpr int64_t kWidestBothSides = 4;
// Where a point of a halo begins is that many points from the block's at most.
constexpr int64_t kMostBeyond = 8;
// Fewer different numbers are products of many things.
constexpr size_t kFewestValues = 3;

// scale * product + add.
struct ScaledProduct {
  int64_t scale = 0, add = 0;
};

// Points of a halo along each of so many sides: the same along all first. Along
// one it is a number that is added.
std::vector<std::vector<int64_t>> HalosAlong(size_t sides) {
  std::vector<std::vector<int64_t>> halos{{}};
  for (size_t d = 0; d < sides; ++d) {
    std::vector<std::vector<int64_t>> longer;
    for (const auto& some : halos) {
      for (int64_t h = 0; h <= (sides > 1 ? kWidestBothSides : 0); ++h) {
        longer.push_back(some);
        longer.back().push_back(h);
      }
    }
    halos = std::move(longer);
  }
  std::ranges::stable_partition(halos, [](const auto& some) {
    return std::ranges::all_of(some, [&](int64_t h) { return h == some[0]; });
  });
  return halos;
}

// Nothing where it is too large.
std::optional<int64_t> ProductAt(const PartChoice& choice,
                                 const std::vector<int64_t>& halos, size_t i) {
  int64_t product = 1;
  for (size_t d = 0; d < choice.size(); ++d) {
    const int64_t along = choice[d]->values[i] + halos[d];
    if (along > kMostPoints / product) return std::nullopt;
    product *= along;
  }
  return product;
}

// What the products are to be scaled by, and what is to be added, to be the
// samples.
std::optional<ScaledProduct> ScaleOfProducts(
    Samples samples, const PartChoice& choice,
    const std::vector<int64_t>& halos) {
  const auto first = ProductAt(choice, halos, 0);
  if (!first) return std::nullopt;
  int64_t scale = 0;
  __int128 add = 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    const auto product = ProductAt(choice, halos, i);
    if (!product) return std::nullopt;
    const int64_t of_product = *product - *first;
    const int64_t of_value = samples[i].value - samples[0].value;
    if (scale == 0) {
      if (of_product == 0 && of_value == 0) continue;
      if (of_product == 0 || of_value % of_product != 0) return std::nullopt;
      scale = of_value / of_product;
      if (scale <= 0) return std::nullopt;
      add = samples[0].value - __int128(scale) * *first;
      const __int128 most = __int128(kMostBeyond) * scale;
      if (add > most || add < -most) return std::nullopt;
    } else if (samples[i].value != __int128(scale) * *product + add) {
      return std::nullopt;
    }
  }
  if (scale == 0) return std::nullopt;
  return ScaledProduct{scale, int64_t(add)};
}

ExpressionPtr ProductLawOf(const PartChoice& choice,
                           const std::vector<int64_t>& halos,
                           const ScaledProduct& scaled) {
  ExpressionPtr product;
  for (size_t d = 0; d < choice.size(); ++d) {
    ExpressionPtr along = AffineExpression(1, choice[d]->law, halos[d]);
    product = CombineNext(Op::kMultiply, std::move(product), std::move(along));
  }
  return AffineExpression(scaled.scale, std::move(product), scaled.add);
}

// Those that give the samples; where several do, with a value where they agree.
// add_nothing: of products alone.
ExpressionPtr FindAmong(Samples samples, const std::vector<PartChoice>& choices,
                        bool add_nothing, bool certain) {
  constexpr int kMostLaws = 4;
  int laws = 0;
  ExpressionPtr all;
  for (const auto& halos : HalosAlong(choices[0].size())) {
    for (const PartChoice& choice : choices) {
      const auto scaled = ScaleOfProducts(samples, choice, halos);
      if (!scaled || (add_nothing && scaled->add != 0)) continue;
      if (++laws > kMostLaws) return nullptr;
      ExpressionPtr law = ProductLawOf(choice, halos, *scaled);
      if (!certain) return law;
      all = all == nullptr ? std::move(law)
                           : AgreedExpression(std::move(all), std::move(law));
    }
  }
  return all;
}

// How much more each of the one is, where the others are the same; 0: nothing
// says so, or it is no whole number.
int64_t RateOf(Samples samples, const SaidPart& one, const SaidPart& other) {
  std::map<int64_t, size_t> first;  // by the value of the other one
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t at = first.try_emplace(other.values[i], i).first->second;
    const int64_t more = one.values[i] - one.values[at];
    if (more == 0) continue;
    const int64_t of_value = samples[i].value - samples[at].value;
    return of_value % more == 0 ? of_value / more : 0;
  }
  return 0;
}

// a * p + b * q + c: what faces across several sides have together.
ExpressionPtr FindSumOfSaid(Samples samples, const PartChoice& two) {
  const int64_t a = RateOf(samples, *two[0], *two[1]);
  const int64_t b = RateOf(samples, *two[1], *two[0]);
  if (a <= 0 || b <= 0) return nullptr;
  const auto rest = [&](size_t i) {
    return samples[i].value - __int128(a) * two[0]->values[i] -
           __int128(b) * two[1]->values[i];
  };
  const __int128 add = rest(0), most = __int128(kMostBeyond) * std::max(a, b);
  if (add > most || add < -most) return nullptr;
  for (size_t i = 1; i < samples.size(); ++i) {
    if (rest(i) != add) return nullptr;
  }
  return AffineExpression(1,
                          Combine(Op::kAdd, AffineExpression(a, two[0]->law, 0),
                                  AffineExpression(b, two[1]->law, 0)),
                          int64_t(add));
}

}  // namespace

ExpressionPtr FindBlockProduct(Samples samples, const SearchSpace& space) {
  if (space.said == nullptr || space.ranked || space.ndims < 2) return nullptr;
  // Where what it predicts is compared next the likely one will do.
  const size_t fewest = space.certain ? kFewestValues : 2;
  if (CountPoints(samples) < fewest) return nullptr;
  auto parts = PartsAlongSides(samples, space);
  for (size_t d = 0; d < parts.size(); ++d) {
    if (!parts[d].empty() || !HasSeveralRanksAlong(samples, d)) continue;
    space.said->NoteTooLittle();
    return nullptr;
  }
  std::erase_if(parts, [](const auto& along) { return along.empty(); });
  for (const bool add_nothing : {true, false}) {
    for (unsigned without = 0; without < 1u << parts.size(); ++without) {
      std::vector<std::vector<SaidPart>> some;
      for (size_t d = 0; d < parts.size(); ++d) {
        if ((without >> d & 1) == 0) some.push_back(parts[d]);
      }
      if (some.empty()) continue;
      ExpressionPtr law =
          FindAmong(samples, ChoicesOf(some), add_nothing, space.certain);
      if (law != nullptr) return law;
    }
  }
  for (size_t d = 0; d < parts.size(); ++d) {
    for (size_t e = d + 1; e < parts.size(); ++e) {
      const std::vector<std::vector<SaidPart>> both{parts[d], parts[e]};
      for (const PartChoice& two : ChoicesOf(both)) {
        ExpressionPtr law = FindSumOfSaid(samples, two);
        if (law != nullptr) return law;
      }
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
