#include "online_model/structure/find_expression.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "online_model/structure/expression_pool.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_blocks.h"
#include "online_model/structure/find_border.h"
#include "online_model/structure/find_cells.h"
#include "online_model/structure/find_levels.h"
#include "online_model/structure/find_share.h"
#include "online_model/structure/find_tree.h"
#include "online_model/structure/mix_hash.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Samples that expressions are told apart by. More cost time in proportion,
// fewer send more wrong expressions to the check against all samples.
constexpr size_t kProbes = 48;

// Different coarsest levels that a law about them must have been seen at.
constexpr size_t kLeastLevels = 3;

// Special values that one parameter may have, as the roots of one call between
// two groups. Twice as many take twice as many conditions.
constexpr size_t kMostSpecials = 2;

// Different values that a ratio must give: more than the numbers chosen, which
// are up to two more with a factor above and a summand.
constexpr size_t kLeastForRatio = 3;
constexpr size_t kMostForRatio = kLeastForRatio + 2;

// Laws this short are taken without looking for shorter ones.
constexpr double kShortExpression = 8;
// The same of those that say how far away a rank is.
constexpr double kShortMove = 5;

constexpr size_t kAllSizes = SIZE_MAX;

// Different values of what the samples have, up to `enough`.
template <class Value>
size_t DifferentValues(Samples samples, size_t enough, Value&& value) {
  std::set<int64_t> seen;
  for (const Sample& s : samples) {
    seen.insert(value(s));
    if (seen.size() >= enough) break;
  }
  return seen.size();
}

// The same of the expression at the samples.
size_t DifferentValues(const Expression& e, Samples samples, size_t enough) {
  return DifferentValues(samples, enough,
                         [&e](const Sample& s) { return e.At(s.where); });
}

// Every size, and of each some samples all over it.
std::vector<Sample> Probes(Samples samples) {
  std::map<const Grid*, std::vector<const Sample*>> by_size;
  for (const Sample& s : samples) by_size[s.where.grid].push_back(&s);
  std::vector<Sample> probes;
  const size_t share = std::max<size_t>(kProbes / by_size.size(), 4);
  for (const auto& [grid, all] : by_size) {
    if (all.size() <= share) {
      for (const Sample* s : all) probes.push_back(*s);
      continue;
    }
    // A stride that shares no factor with powers of two, threes or fives.
    constexpr size_t kStride = 7919;
    std::set<size_t> taken{0, all.size() - 1};
    for (size_t i = 1; taken.size() < share; ++i) {
      taken.insert(i * kStride % all.size());
      if (i > 4 * all.size()) break;
    }
    for (const size_t i : taken) probes.push_back(*all[i]);
  }
  return probes;
}

// The coarsest level of a rank where the expression compares that with
// something else; nullptr in all others.
ExpressionPtr LevelIn(const Expression& e) {
  for (const ExpressionPtr& part : {e.a, e.b}) {
    if (part == nullptr || part->op != Op::kFeature) continue;
    if (part->feature.IsCoarsest()) return part;
  }
  return nullptr;
}

// Whether op(coarsest level, something) * factor + add is what the number of
// levels that a rank takes part in, or whether it does in one, may be. Of
// several there is one fewer with each that it sits out, though the last one
// seen may look like a condition.
bool CountsLevels(Op op, int64_t add) {
  return op == Op::kMaximum || op == Op::kMinimum || op == Op::kAdd ||
         op == Op::kSubtract || (op == Op::kLess && add == 0);
}

// So many times what is left of a number that is halved again and again is what
// is left of their product, as far as halves are whole: 8*(4 >> k) is 32 >> k
// until k is 2. `likely`: that goes on; else both have to agree.
ExpressionPtr HalvesOfProduct(int64_t factor, const ExpressionPtr& base,
                              ExpressionPtr law, bool likely) {
  const bool halves =
      base->op == Op::kShiftRight && factor > 1 && base->a->op == Op::kConstant;
  if (!halves) return law;
  const __int128 whole = __int128(factor) * base->a->value;
  if (whole > INT64_MAX) return law;
  ExpressionPtr of_product =
      Combine(Op::kShiftRight, ConstantExpression(int64_t(whole)), base->b);
  return likely ? of_product
                : AgreedExpression(std::move(law), std::move(of_product));
}

// Of all that a search is made of. What other laws say it does not ask for, but
// for the wholes that they share out.
uint64_t HashOfSearch(Samples samples, const SearchSpace& space, bool simple) {
  uint64_t hash = simple;
  const auto mix = [&hash](uint64_t v) { hash = MixHash(hash, v); };
  const auto mix_pointer = [&mix](const void* p) {
    mix(reinterpret_cast<uintptr_t>(p));
  };
  for (const bool flag :
       {space.array, space.ranked, space.counts, space.certain, space.points}) {
    mix(flag);
  }
  mix(uint64_t(space.ndims));
  mix(uint64_t(space.along.value_or(-1)));
  mix(uint64_t(space.parts_from.value_or(-1)));
  mix(space.wholes ? space.wholes->size() : 0);
  for (const auto& list : space.lists) mix_pointer(list.get());
  for (const auto& hint : space.hints) mix_pointer(hint.get());
  for (const Sample& s : samples) {
    mix_pointer(s.where.grid);
    mix(uint64_t(s.where.rank));
    mix(uint64_t(s.where.position));
    mix(uint64_t(s.where.length));
    mix(uint64_t(s.value));
  }
  return hash;
}

class ExpressionFinder {
 public:
  ExpressionFinder(Samples samples, const SearchSpace& space)
      : samples_(samples), space_(space), probes_(Probes(samples)) {
    for (const Sample& p : probes_) {
      contexts_.push_back(p.where);
      target_.push_back(p.value);
    }
  }

  ExpressionPtr Find() {
    if (ExpressionPtr e = Constant()) return e;
    return Remembered(false, [this] { return FindNew(); });
  }

 private:
  ExpressionPtr FindNew() {
    if (ExpressionPtr e = Special()) return e;
    if (special_) return nullptr;
    if (AreConditions(samples_)) {
      if (ExpressionPtr e = OfEveryNth(1)) return e;
    }
    pool_ = WholePool();
    if (space_.ranked) {
      if (ExpressionPtr e = Hinted()) return e;
    }
    ExpressionPtr best = space_.ranked ? Ranked() : nullptr;
    if (best != nullptr && best->cost() <= kShortMove) return best;
    // The first rank of four in a row may be told as a way along some side,
    // too.
    const bool is_moved = best != nullptr;
    Keep(Affine(), &best);
    if (is_moved) return best;
    if (best != nullptr && best->cost() <= kShortExpression) return best;
    ExpressionPtr ratio = Ratio();
    // With a summand it may be shares that all happen to be whole.
    const bool plain = ratio == nullptr || ratio->op == Op::kDivideExactly;
    Keep(plain ? ratio : AmongShares(std::move(ratio)), &best);
    if (space_.ranked) {
      if (best == nullptr) best = Reordered();
      if (best == nullptr) best = Cases();
      return best != nullptr ? best : FindParent(samples_);
    }
    Keep(AmongShares(FindBlocks(samples_, probes_, space_)), &best);
    Keep(FindLevels(samples_, probes_, space_), &best);
    if (best == nullptr) best = FindCells(samples_, probes_, space_);
    if (best == nullptr)
      best = AmongShares(FindShare(samples_, probes_, *pool_));
    if (best == nullptr) best = Cases();
    if (best != nullptr || !space_.counts) return best;
    return FindChildCount(samples_, space_.ndims);
  }

  static void Keep(ExpressionPtr e, ExpressionPtr* best) {
    if (e == nullptr) return;
    if (*best == nullptr || e->cost() < (*best)->cost()) *best = std::move(e);
  }

  ExpressionPtr AmongShares(ExpressionPtr law) const {
    return online_model::AmongShares(std::move(law), samples_, space_);
  }

  std::shared_ptr<const ExpressionPool> WholePool() const {
    if (space_.pools != nullptr) return space_.pools->For(contexts_, space_);
    return std::make_shared<const ExpressionPool>(contexts_, space_);
  }

  ExpressionPtr Constant() {
    for (const Sample& s : samples_) {
      if (s.value != samples_[0].value) return nullptr;
    }
    return ConstantExpression(samples_[0].value);
  }

  // The rarest special value, where a condition holds, and the rest, with the
  // others: in the root's group of an intercommunicator one rank says that it
  // is the root, and the others that they are not.
  ExpressionPtr Special() {
    std::map<int64_t, size_t> counts;
    for (const Sample& s : samples_) {
      if (reduction::IsSpecial(s.value)) ++counts[s.value];
    }
    special_ = !counts.empty();
    if (!special_ || counts.size() > kMostSpecials) return nullptr;
    const int64_t value =
        std::min_element(counts.begin(), counts.end(), [](auto& a, auto& b) {
          return a.second < b.second;
        })->first;
    std::vector<Sample> indicator, rest;
    for (const Sample& s : samples_) {
      indicator.push_back({s.where, s.value == value});
      if (s.value != value) rest.push_back(s);
    }
    SearchSpace plain = space_;
    plain.ranked = false;
    const ExpressionPtr where = ExpressionFinder(indicator, plain).Simple();
    if (where == nullptr) return nullptr;
    ExpressionFinder ordinary(rest, space_);
    const ExpressionPtr elsewhere = ordinary.Find();
    if (elsewhere == nullptr) return nullptr;
    return SelectExpression(where, ConstantExpression(value), elsewhere);
  }

  bool Supported(const Expression& e, size_t id, int free) const {
    const size_t need = (id < pool_->leaves() && free == 0 ? 2 : 3) +
                        (id >= pool_->leaves() && free == 2 ? 1 : 0);
    const size_t found = DifferentValues(e, samples_, need);
    if (found >= need) return true;
    // Conditions have two values only; where they hold counts instead.
    return found == 2 && IsCondition(e) &&
           SizesWithBoth(e) >= size_t(std::max(free, 1));
  }

  bool IsCondition(const Expression& e) const {
    return std::all_of(samples_.begin(), samples_.end(), [&e](const Sample& s) {
      const int64_t v = e.At(s.where);
      return v == 0 || v == 1;
    });
  }

  // Sizes at which the condition holds on some samples, not on others.
  size_t SizesWithBoth(const Expression& e) const {
    std::map<const Grid*, std::set<int64_t>> seen;
    for (const Sample& s : samples_) seen[s.where.grid].insert(e.At(s.where));
    if (seen.size() < 2) return 0;
    return size_t(std::count_if(seen.begin(), seen.end(), [](const auto& v) {
      return v.second.size() == 2;
    }));
  }

  ExpressionPtr Affine() {
    for (const auto& m : pool_->Affine(target_)) {
      const ExpressionPtr base = pool_->Build(size_t(m.id));
      const int free = (m.factor != 1) + (m.add != 0);
      ExpressionPtr e = AffineExpression(m.factor, base, m.add);
      if (!Gives(*e, samples_)) continue;
      ExpressionPtr halves =
          m.add == 0 ? HalvesOfProduct(m.factor, base, e, !space_.certain) : e;
      if (Gives(*halves, samples_)) e = std::move(halves);
      const ExpressionPtr coarsest = LevelIn(*base);
      if (coarsest != nullptr && !CountsLevels(base->op, m.add)) continue;
      if (Supported(*base, size_t(m.id), free) ||
          (coarsest != nullptr &&
           DifferentValues(*coarsest, samples_, kLeastLevels) ==
               kLeastLevels)) {
        return e;
      }
    }
    return nullptr;
  }

  // (constant x leaf) / entry + a small summand.
  ExpressionPtr Ratio() {
    const size_t values = DifferentValues(
        samples_, kMostForRatio, [](const Sample& s) { return s.value; });
    if (values < kLeastForRatio) return nullptr;
    const std::vector<Growth> growths = GrowthsOfEntries();
    for (const int64_t add : {0, 1, -1, 2, -2}) {
      const auto is_add = [add](int64_t v) { return v == add; };
      if (std::ranges::any_of(target_, is_add)) continue;
      const double top =
          double(target_.back() - add) / double(target_.front() - add);
      for (size_t f = 0; f <= pool_->leaves(); ++f) {
        if (values < kLeastForRatio + (f != 0) + (add != 0)) continue;
        for (const size_t id : EntriesThatGrowBy(GrowthOf(f) / top, growths)) {
          if (ExpressionPtr e = RatioOf(id, f, add)) return e;
        }
      }
    }
    return nullptr;
  }

  // By how much an entry is more at the last probe than at the first. What is
  // target = above / entry grows as its parts do, which few entries out of ten
  // thousands do.
  struct Growth {
    double growth;
    size_t id;
  };
  double GrowthOfEntry(size_t id) const {
    const int64_t* v = pool_->values(id);
    return double(v[target_.size() - 1]) / double(v[0]);
  }
  // f as for RatioOf.
  double GrowthOf(size_t f) const { return f == 0 ? 1 : GrowthOfEntry(f - 1); }
  // In the order of growth; none of those that begin with nothing.
  std::vector<Growth> GrowthsOfEntries() const {
    std::vector<Growth> growths;
    growths.reserve(pool_->size());
    for (size_t id = 0; id < pool_->size(); ++id) {
      if (pool_->values(id)[0] != 0) growths.push_back({GrowthOfEntry(id), id});
    }
    std::ranges::sort(growths, [](const Growth& a, const Growth& b) {
      return a.growth != b.growth ? a.growth < b.growth : a.id < b.id;
    });
    return growths;
  }
  // In the order of the pool.
  static std::vector<size_t> EntriesThatGrowBy(
      double growth, const std::vector<Growth>& growths) {
    if (!std::isfinite(growth)) return {};  // of what begins with nothing
    // Far more than the few roundings on the way.
    const double margin = std::abs(growth) * 1e-12;
    std::vector<size_t> ids;
    for (auto at = std::ranges::lower_bound(growths, growth - margin, {},
                                            &Growth::growth);
         at != growths.end() && at->growth <= growth + margin; ++at) {
      ids.push_back(at->id);
    }
    if (!std::ranges::is_sorted(ids)) std::ranges::sort(ids);
    return ids;
  }

  // f == leaves() stands for the factor 1, and comes first as 0.
  ExpressionPtr RatioOf(size_t id, size_t f, int64_t add) {
    const int64_t* below = pool_->values(id);
    const int64_t* above = f == 0 ? nullptr : pool_->values(f - 1);
    __int128 k_above = 0, k_below = 0;
    bool varies = false;
    for (size_t i = 0; i < target_.size(); ++i) {
      const __int128 left = __int128(target_[i] - add) * below[i];
      const __int128 right = above == nullptr ? 1 : above[i];
      if (left == 0 || right == 0) return nullptr;
      if (i == 0) k_above = left, k_below = right;
      if (left * k_below != right * k_above) return nullptr;
      varies |= below[i] != below[0];
    }
    if (!varies || k_above % k_below != 0) return nullptr;
    const __int128 k = k_above / k_below;
    if (k > (int64_t{1} << 40) || k < 0) return nullptr;
    ExpressionPtr top = ConstantExpression(int64_t(k));
    if (above != nullptr) {
      top = Combine(Op::kMultiply, top, pool_->Build(f - 1));
    }
    ExpressionPtr e = AffineExpression(
        1, Combine(Op::kDivideExactly, top, pool_->Build(id)), add);
    return Gives(*e, samples_) ? e : nullptr;
  }

  // What other events have shown.
  ExpressionPtr Hinted() const {
    for (const ExpressionPtr& hint : space_.hints) {
      if (TakesHint(space_, *hint) && Gives(*hint, samples_)) return hint;
    }
    return nullptr;
  }

  // By how much the rank differs from the own one.
  ExpressionPtr Ranked() {
    const Feature own{Feature::Kind::kRank, 0, nullptr};
    const ExpressionPtr r = FeatureExpression(own);
    Values bits;
    for (const Sample& p : probes_) bits.push_back(p.value ^ p.where.rank);
    if (auto e = Differing(bits, [&](ExpressionPtr by) {
          return Combine(Op::kXor, r, std::move(by));
        })) {
      return e;
    }
    for (const bool back : {false, true}) {
      Values ring;
      for (const Sample& p : probes_) {
        const int64_t n = p.where.ranks();
        const int64_t by = p.value - p.where.rank;
        ring.push_back((((back ? -by : by) % n) + n) % n);
      }
      const ExpressionPtr n =
          FeatureExpression({Feature::Kind::kRanks, 0, nullptr});
      if (auto e = Differing(ring, [&](ExpressionPtr by) {
            return Combine(
                Op::kRemainder,
                Combine(back ? Op::kSubtract : Op::kAdd, r, std::move(by)), n);
          })) {
        return e;
      }
    }
    for (int d = 0; d < space_.ndims; ++d) {
      for (const bool back : {false, true}) {
        if (ExpressionPtr e = AlongDimension(d, back)) return e;
      }
    }
    return Paired();
  }

  // A partner that has this rank as its own: both sum up to the same.
  ExpressionPtr Paired() {
    if (!space_.array) return nullptr;
    const ExpressionPtr r = FeatureExpression(Feature::Kind::kRank);
    const ExpressionPtr n = FeatureExpression(Feature::Kind::kRanks);
    Values sums;
    for (const Sample& p : probes_) {
      if (p.value < 0) return nullptr;
      sums.push_back((p.value + p.where.rank) % p.where.ranks());
    }
    const auto from = [&](ExpressionPtr sum) {
      return Combine(Op::kRemainder, Combine(Op::kSubtract, std::move(sum), r),
                     n);
    };
    return Differing(sums, from);
  }

  // The bits of the own rank in another order, and some turned over.
  ExpressionPtr Reordered() {
    if (!TellBitOrder(samples_)) return nullptr;
    if (const auto order = FindBitOrder(samples_)) {
      return BitsExpression(*order);
    }
    for (const BitOrder& order : BitOrders()) {
      Values turned;
      for (const Sample& p : probes_) {
        turned.push_back(p.value ^ order.Of(p.where));
      }
      if (auto e = Differing(turned, [&order](ExpressionPtr by) {
            return Combine(Op::kXor, BitsExpression(order), std::move(by));
          })) {
        return e;
      }
    }
    return nullptr;
  }

  ExpressionPtr AlongDimension(int d, bool back) {
    Values by, place;
    for (const Sample& p : probes_) {
      if (p.value < 0 || p.value >= p.where.ranks()) return nullptr;
      const Coordinates to = p.where.grid->At(p.value);
      for (int o = 0; o < space_.ndims; ++o) {
        if (o != d && to[size_t(o)] != p.where.at[size_t(o)]) return nullptr;
      }
      const int64_t n = p.where.dim(d);
      const int64_t v = to[size_t(d)] - p.where.at[size_t(d)];
      by.push_back((((back ? -v : v) % n) + n) % n);
      place.push_back(to[size_t(d)]);
    }
    const auto moved = [&](ExpressionPtr e) {
      return MoveExpression(
          d, back ? AffineExpression(-1, std::move(e), 0) : std::move(e));
    };
    if (ExpressionPtr e = Differing(by, moved)) return e;
    if (ExpressionPtr e = OneMoreOrLess(by, d, moved)) return e;
    // To a place that does not depend on the own one, as the root of each step
    // of SUMMA (van de Geijn and Watts 1997) is the next of a row.
    const auto placed = [&](ExpressionPtr to) {
      return moved(
          Combine(Op::kSubtract, std::move(to),
                  FeatureExpression({Feature::Kind::kCoord, d, nullptr})));
    };
    if (!back) {
      if (ExpressionPtr e = Differing(place, placed)) return e;
    }
    if (!space_.array) return nullptr;
    for (ExpressionPtr& distance : FindLevelDistances(by, probes_, d)) {
      ExpressionPtr e = moved(std::move(distance));
      if (Gives(*e, samples_)) return e;
    }
    return nullptr;
  }

  // Around a side a distance of one less than none is the longest: as many as
  // another place says but for one, as the way back of Cannon's skew.
  template <class F>
  ExpressionPtr OneMoreOrLess(const Values& by, int d, F&& law) {
    for (const int64_t more : {-1, 1}) {
      Values others;
      for (size_t i = 0; i < by.size(); ++i) {
        const int64_t n = probes_[i].where.dim(d);
        others.push_back((by[i] - more + n) % n);
      }
      if (std::ranges::equal(others, by)) continue;
      if (ExpressionPtr e = Differing(others, [&](ExpressionPtr base) {
            return law(AffineExpression(1, std::move(base), more));
          })) {
        return e;
      }
    }
    return nullptr;
  }

  template <class F>
  ExpressionPtr Differing(const Values& by, F&& law) {
    const bool constant = std::all_of(by.begin(), by.end(),
                                      [&](int64_t v) { return v == by[0]; });
    if (constant) {
      ExpressionPtr e = law(ConstantExpression(by[0]));
      return Gives(*e, samples_) ? e : nullptr;
    }
    for (const auto& m : pool_->Equal(by)) {
      const ExpressionPtr base = pool_->Build(size_t(m.id));
      ExpressionPtr e = law(base);
      if (Gives(*e, samples_) && Supported(*base, size_t(m.id), 0)) return e;
    }
    return nullptr;
  }

  // The condition that holds for just those samples that have the value, where
  // they are of every n-th rank; or for the others, where those are.
  ExpressionPtr OfEveryNth(int64_t value) const {
    if (space_.array) return nullptr;
    for (const bool others : {false, true}) {
      const auto holds = [&](const Sample& s) {
        return (s.value == value) != others;
      };
      const auto [n, first] = StrideOf(holds);
      if (n < 2) continue;
      const bool all =
          std::all_of(samples_.begin(), samples_.end(), [&](const Sample& s) {
            return holds(s) == (s.where.rank % n == first);
          });
      if (!all) continue;
      const ExpressionPtr past = Combine(
          Op::kRemainder, FeatureExpression({Feature::Kind::kRank, 0, nullptr}),
          ConstantExpression(n));
      const ExpressionPtr is =
          Combine(Op::kEqual, past, ConstantExpression(first));
      return others ? Combine(Op::kEqual, is, ConstantExpression(0)) : is;
    }
    return nullptr;
  }

  // How far the first two ranks of the largest run are apart that the condition
  // holds for, and the first of them; 0 where there are not three.
  template <class F>
  std::pair<int64_t, int64_t> StrideOf(const F& holds) const {
    const Sample& largest = *std::max_element(
        samples_.begin(), samples_.end(), [](const auto& a, const auto& b) {
          return a.where.ranks() < b.where.ranks();
        });
    std::set<int64_t> ranks;
    for (const Sample& s : samples_) {
      if (s.where.grid == largest.where.grid && holds(s)) {
        ranks.insert(s.where.rank);
      }
    }
    if (ranks.size() < 3) return {0, 0};
    return {*std::next(ranks.begin()) - *ranks.begin(), *ranks.begin()};
  }

  // A condition of the pool with one value, and a law elsewhere.
  ExpressionPtr Cases() {
    if (depth_ >= 2) return nullptr;
    std::map<int64_t, size_t> counts;
    for (const int64_t v : target_) ++counts[v];
    for (const auto& [value, count] : counts) {
      const ExpressionPtr nth = OfEveryNth(value);
      if (nth == nullptr) continue;
      if (ExpressionPtr e = Case(nth, value)) return e;
    }
    size_t tried = 0;
    for (size_t id = 0; id < pool_->size() && tried < 64; ++id) {
      const int64_t* v = pool_->values(id);
      std::optional<int64_t> there;
      bool ok = true, other = false;
      for (size_t i = 0; i < target_.size() && ok; ++i) {
        ok = v[i] == 0 || v[i] == 1;
        other |= v[i] == 0;
        if (v[i] != 1) continue;
        ok = ok && (!there || *there == target_[i]);
        there = target_[i];
      }
      if (!ok || !there || !other) continue;
      ++tried;
      if (ExpressionPtr e = Case(pool_->Build(id), *there)) return e;
    }
    return nullptr;
  }

  ExpressionPtr Case(const ExpressionPtr& condition, int64_t there) {
    std::vector<bool> without;
    for (const Sample& s : samples_) {
      const int64_t holds = condition->At(s.where);
      if (holds != 0 && (holds != 1 || s.value != there)) return nullptr;
      without.push_back(holds == 0);
    }
    const auto left = size_t(std::count(without.begin(), without.end(), true));
    if (left == samples_.size() || left == 0) return nullptr;
    // Several conditions hold at the same places.
    const auto [tried, first] = cases_.insert(std::move(without));
    if (!first || SizesWithBoth(*condition) == 0) return nullptr;
    std::vector<Sample> rest;
    rest.reserve(left);
    for (size_t i = 0; i < samples_.size(); ++i) {
      if ((*tried)[i]) rest.push_back(samples_[i]);
    }
    ExpressionFinder elsewhere(rest, space_);
    elsewhere.depth_ = depth_ + 1;
    const ExpressionPtr e = elsewhere.Simple();
    if (e == nullptr) return nullptr;
    const size_t differ = SizesOfCase(*condition, there, *e);
    if (differ == 0) return e;
    // What one run alone shows is said by chance by some condition of many.
    if (differ == 1) return nullptr;
    return SelectExpression(condition, ConstantExpression(there), e);
  }

  // At how many sizes the case makes a difference, or the law for the others
  // gives no number.
  size_t SizesOfCase(const Expression& condition, int64_t there,
                     const Expression& elsewhere) const {
    std::set<const Grid*> differ;
    for (const Sample& s : samples_) {
      if (condition.At(s.where) != 1) continue;
      const int64_t other = elsewhere.At(s.where);
      if (other == kNotWhole) return kAllSizes;
      if (other != there) differ.insert(s.where.grid);
    }
    return differ.size();
  }

  ExpressionPtr Simple() {
    if (ExpressionPtr e = Constant()) return e;
    return Remembered(true, [this] { return SimpleNew(); });
  }

  // What the search finds, where it was not in vain before.
  template <class F>
  ExpressionPtr Remembered(bool simple, const F& search) {
    if (space_.pools == nullptr || space_.levels) return search();
    const uint64_t hash = HashOfSearch(samples_, space_, simple);
    if (space_.pools->IsInVain(hash)) return nullptr;
    ExpressionPtr e = search();
    if (e == nullptr) space_.pools->NoteInVain(hash);
    return e;
  }

  // Asked of every part of every case, so what nobody looks at is not made.
  ExpressionPtr SimpleNew() {
    if (space_.ranked) {
      pool_ = WholePool();
      if (ExpressionPtr e = Hinted()) return e;
      if (ExpressionPtr e = Ranked()) return e;
    } else {
      auto pool = std::make_shared<ExpressionPool>(
          contexts_, space_, ExpressionPool::Pairs::kOnRequest);
      pool->AddPairsFor(target_);
      pool_ = std::move(pool);
    }
    const bool may_be_border = !space_.array && !space_.ranked;
    const ExpressionPtr border =
        may_be_border ? FindBorder(samples_, space_.ndims) : nullptr;
    if (ExpressionPtr e = Affine()) {
      return border == nullptr ? e : AgreedExpression(e, border);
    }
    if (border != nullptr) return border;
    return AreConditions(samples_) ? OfEveryNth(1) : nullptr;
  }

  Samples samples_;
  const SearchSpace& space_;
  std::vector<Sample> probes_;
  std::vector<Context> contexts_;
  Values target_;
  std::shared_ptr<const ExpressionPool> pool_;
  bool special_ = false;
  std::set<std::vector<bool>> cases_;  // samples without each condition tried
  int depth_ = 0;
};

}  // namespace

std::optional<ScalarLaw> FindExpression(Samples samples,
                                        const SearchSpace& space) {
  if (samples.empty()) return std::nullopt;
  ExpressionPtr e = ExpressionFinder(samples, space).Find();
  if (e == nullptr) return std::nullopt;
  return OfExpression(std::move(e));
}

}  // namespace ranksight::online_model
