#include "online_model/structure/find_share.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/evidence.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Larger wholes have no exact shares (kLargestValue).
constexpr int64_t kMostShared = kLargestValue;

// Wholes of which all shares seen are floor(whole / parts).
struct Wholes {
  int64_t low = 0, high = kMostShared;

  bool Narrow(int64_t share, int64_t parts) {
    if (share < 0 || parts < 1 || share > kMostShared / parts) return false;
    low = std::max(low, share * parts);
    high = std::min(high, share * parts + parts - 1);
    return low <= high;
  }
};

// Summands tried besides none: a halo, a rounding up.
constexpr int64_t kSummands[] = {0, 1, -1, 2, -2};

// What must speak against a coincidence: a whole that one share allows gives
// another by chance in one of as many cases as that share is large. Bits: so
// many expressions and summands are tried (about 2^16), and a margin.
constexpr double kLeastBits = 24;

bool Supported(Samples samples, int64_t add) {
  std::set<int64_t> shares;
  for (const Sample& s : samples) shares.insert(s.value - add);
  double bits = 0;
  for (const int64_t share : shares) {
    if (share < 0) return false;
    if (share != *shares.rbegin()) bits += std::log2(1 + double(share));
  }
  return bits >= kLeastBits;
}

ExpressionPtr Share(const Wholes& wholes, ExpressionPtr parts, int64_t add) {
  return AffineExpression(
      1, ShareExpression(wholes.low, wholes.high, std::move(parts)), add);
}

// What wholes are shared among.
std::vector<ExpressionPtr> Sides(int ndims) {
  std::vector<ExpressionPtr> sides;
  for (int d = 0; d < ndims; ++d) {
    sides.push_back(FeatureExpression({Feature::Kind::kDim, d, nullptr}));
  }
  if (ndims > 1) {
    sides.push_back(FeatureExpression({Feature::Kind::kRanks, 0, nullptr}));
  }
  return sides;
}

// The wholes of which every sample is factor * floor(whole / parts) + add.
std::optional<Wholes> WholesOf(Samples samples, const Expression& parts,
                               int64_t factor, int64_t add) {
  Wholes wholes;
  for (const Sample& s : samples) {
    const int64_t shares = s.value - add;
    if (shares % factor != 0 ||
        !wholes.Narrow(shares / factor, parts.At(s.where))) {
      return std::nullopt;
    }
  }
  return wholes;
}

// Numbers of values at a point that are tried: small ones and powers of two.
// Others are not told from one value.
constexpr int64_t kFactors[] = {1,  2,  3,  4,  5,   6,   7,   8,   9,
                                10, 12, 15, 16, 18,  20,  24,  32,  40,
                                48, 64, 80, 96, 128, 256, 512, 1024};
// Points of a halo or of a border, on both sides together.
constexpr int64_t kMostHalo = 2;
// Where more laws give the samples, these say little.
constexpr size_t kMostRivals = 32;
// Bits by which a rival may be longer: of longer ones there are always some.
constexpr double kMostLonger = 6;

std::set<int64_t> Halos(int64_t factor) {
  std::set<int64_t> adds;
  for (int64_t i = -kMostHalo; i <= kMostHalo; ++i) {
    for (int64_t j = -kMostHalo; j <= kMostHalo; ++j) {
      adds.insert(i * factor + j);
    }
  }
  return adds;
}

// Whether nothing is left of the whole anywhere: then nothing shows what
// happens to a remainder.
bool Divides(Samples samples, const Expression& parts, int64_t whole,
             int64_t factor, int64_t add) {
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    return (s.value - add) / factor * parts.At(s.where) == whole;
  });
}

std::vector<ExpressionPtr> Rivals(Samples samples, int ndims) {
  std::vector<ExpressionPtr> rivals;
  std::set<std::vector<int64_t>> seen;
  std::set<std::string> texts;
  for (const ExpressionPtr& side : Sides(ndims)) {
    std::vector<int64_t> parts;
    for (const Sample& s : samples) parts.push_back(side->At(s.where));
    if (!seen.insert(std::move(parts)).second) continue;
    for (const int64_t factor : kFactors) {
      for (const int64_t add : Halos(factor)) {
        const auto wholes = WholesOf(samples, *side, factor, add);
        if (!wholes) continue;
        ExpressionPtr rival = AffineExpression(
            factor,
            Divides(samples, *side, wholes->low, factor, add)
                ? Combine(Op::kDivideExactly, ConstantExpression(wholes->low),
                          side)
                : Share(*wholes, side, 0),
            add);
        if (texts.insert(rival->ToString()).second) {
          rivals.push_back(std::move(rival));
        }
      }
    }
  }
  return rivals;
}

// What need not be said again of the wholes that it shares out.
double SavedBits(const Expression& e, const std::set<int64_t>& wholes) {
  if (e.op == Op::kDivideExactly && e.a->op == Op::kConstant) {
    return wholes.count(e.a->value) > 0 ? ConstantCost(e.a->value) - 1 : 0;
  }
  if (e.op == Op::kShare) {
    const auto known = wholes.lower_bound(e.a->value);
    if (known == wholes.end() || *known > e.b->value) return 0;
    return std::max(0.0, ConstantCost(e.b->value) -
                             ConstantCost(e.b->value - e.a->value) - 1);
  }
  double bits = 0;
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr) bits += SavedBits(*part, wholes);
  }
  return bits;
}

}  // namespace

ExpressionPtr FindShare(Samples samples, const std::vector<Sample>& probes,
                        const ExpressionPool& pool) {
  for (const int64_t add : kSummands) {
    if (!Supported(samples, add)) continue;
    for (size_t id = 0; id < pool.size(); ++id) {
      const int64_t* parts = pool.values(id);
      Wholes wholes;
      bool fits = true;
      for (size_t i = 0; i < probes.size() && fits; ++i) {
        fits = wholes.Narrow(probes[i].value - add, parts[i]);
      }
      if (!fits) continue;
      const ExpressionPtr divisor = pool.Build(id);
      for (size_t i = 0; i < samples.size() && fits; ++i) {
        fits = wholes.Narrow(samples[i].value - add,
                             divisor->At(samples[i].where));
      }
      if (fits) return Share(wholes, divisor, add);
    }
  }
  return nullptr;
}

ExpressionPtr AmongShares(ExpressionPtr law, Samples samples,
                          const SearchSpace& space) {
  if (law == nullptr || !DependOnSizeOnly(samples)) return law;
  const std::set<int64_t> none;
  const std::set<int64_t>& wholes = space.wholes ? *space.wholes : none;
  std::vector<ExpressionPtr> rivals = Rivals(samples, space.ndims);
  // Equal shares are the plainest law. What other laws share out as well, with
  // a halo, speaks against them.
  if (law->op == Op::kDivideExactly) {
    std::erase_if(rivals, [&wholes](const ExpressionPtr& rival) {
      return SavedBits(*rival, wholes) == 0;
    });
    if (SavedBits(*law, wholes) > 0 || rivals.empty()) return law;
  }
  if (space.certain && rivals.size() > kMostRivals) return nullptr;
  const std::string text = law->ToString();
  std::erase_if(rivals, [&text](const ExpressionPtr& rival) {
    return rival->ToString() == text;
  });
  rivals.push_back(std::move(law));
  std::vector<std::pair<double, ExpressionPtr>> by_cost;
  for (ExpressionPtr& rival : rivals) {
    const double cost = rival->cost() - SavedBits(*rival, wholes);
    by_cost.emplace_back(cost, std::move(rival));
  }
  std::stable_sort(
      by_cost.begin(), by_cost.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  ExpressionPtr agreed = by_cost[0].second;
  if (!space.certain) return agreed;
  for (size_t i = 1; i < by_cost.size(); ++i) {
    if (by_cost[i].first > by_cost[0].first + kMostLonger) break;
    agreed = AgreedExpression(std::move(agreed), by_cost[i].second);
  }
  return agreed;
}

}  // namespace ranksight::online_model
