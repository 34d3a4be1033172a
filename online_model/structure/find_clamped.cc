#include "online_model/structure/find_clamped.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;
using Samples = std::span<const Sample>;

// The law that says what there is within the ends, cut off there; nullptr where
// that does not give the samples.
using CutOff = std::function<ExpressionPtr(const ExpressionPtr&)>;

// Fewer are said by chance.
constexpr size_t kFewestSizes = 2;

// By one feature of the size, or none. Logarithms that are rounded up and down
// differ where no run may be, at powers of two alone: then both have to agree.
ExpressionPtr FindEnd(Samples ends, const std::vector<Feature>& features) {
  ExpressionPtr law;
  for (const Kind left_out : {Kind::kStages, Kind::kLog2}) {
    std::vector<Feature> some = features;
    std::erase_if(some, [left_out](const Feature& f) {
      return !f.IsOfSize() || f.kind == left_out;
    });
    const auto found = FindSimple(ends, some);
    if (!found) continue;
    ExpressionPtr other = ExpressionOf(*found);
    if (law == nullptr) {
      law = std::move(other);
    } else if (law->ToString() != other->ToString()) {
      law = AgreedExpression(std::move(law), std::move(other));
    }
  }
  return law;
}

// How many different values of the features the law gives the samples at.
size_t RowsGiven(const Expression& law, Samples all,
                 std::span<const Feature* const> features) {
  std::set<std::vector<int64_t>> rows;
  for (const Sample& s : all) {
    if (law.At(s.where) != s.value) continue;
    std::vector<int64_t> row;
    for (const Feature* f : features) row.push_back(f->At(s.where));
    rows.insert(std::move(row));
  }
  return rows.size();
}

// The most, or the least, of each run.
std::map<const Grid*, Sample> EndsOf(Samples samples, Op op) {
  std::map<const Grid*, Sample> ends;
  for (const Sample& s : samples) {
    const auto [it, first] = ends.try_emplace(s.where.grid, s);
    int64_t& end = it->second.value;
    if (!first) {
      end =
          op == Op::kMinimum ? std::max(end, s.value) : std::min(end, s.value);
    }
  }
  return ends;
}

// At how many sizes the law within does not say all.
size_t SizesCutOff(Samples samples, const Expression& within) {
  std::set<const Grid*> cut_off;
  for (const Sample& s : samples) {
    if (within.At(s.where) != s.value) cut_off.insert(s.where.grid);
  }
  return cut_off.size();
}

// So many times one feature of a rank or place, or the sum or difference of
// that and this one of the size, and a number more. What is cut off may be what
// the law says as well, and counts then: of three values it gives two may be
// ends. times: that all samples differ by. size: may be nullptr.
ExpressionPtr FindCountedWith(const Feature* size, int64_t times,
                              Samples inside, Samples all,
                              const std::vector<Feature>& features,
                              const CutOff& cut_off) {
  for (const Feature& f : features) {
    if (f.IsOfSize()) continue;
    for (const Op op : {Op::kAdd, Op::kSubtract}) {
      ExpressionPtr sum = FeatureExpression(f);
      std::vector<const Feature*> made_of{&f};
      if (size != nullptr) {
        made_of.push_back(size);
        sum = Combine(op, std::move(sum), FeatureExpression(*size));
      }
      const int64_t more = inside[0].value - times * sum->At(inside[0].where);
      const ExpressionPtr within = AffineExpression(times, sum, more);
      // One more than there are numbers to choose.
      if (Gives(*within, inside) &&
          RowsGiven(*within, all, made_of) >= made_of.size() + 2) {
        if (ExpressionPtr law = cut_off(within)) return law;
      }
      if (size == nullptr) break;
    }
  }
  return nullptr;
}

// Where several features of the size do as well, as logarithms that are rounded
// up or down do where no size is a power of two, all have to agree.
ExpressionPtr FindCounted(Samples inside, Samples all,
                          const std::vector<Feature>& features,
                          const CutOff& cut_off) {
  int64_t times = 0;
  for (const Sample& s : all) times = std::gcd(times, s.value - all[0].value);
  ExpressionPtr law =
      FindCountedWith(nullptr, times, inside, all, features, cut_off);
  if (law != nullptr) return law;
  for (const Feature& size : features) {
    if (!size.IsOfSize()) continue;
    ExpressionPtr other =
        FindCountedWith(&size, times, inside, all, features, cut_off);
    if (other == nullptr) continue;
    law = law == nullptr ? std::move(other)
                         : AgreedExpression(std::move(law), std::move(other));
  }
  return law;
}

ExpressionPtr FindCutOff(Samples samples, const std::vector<Feature>& features,
                         Op op) {
  std::vector<Sample> ends, inside;
  const auto end_of = EndsOf(samples, op);
  for (const auto& [run, end] : end_of) ends.push_back(end);
  std::set<const Grid*> has_inside;
  for (const Sample& s : samples) {
    if (s.value == end_of.at(s.where.grid).value) continue;
    inside.push_back(s);
    has_inside.insert(s.where.grid);
  }
  if (has_inside.size() < kFewestSizes) return nullptr;
  const ExpressionPtr end = FindEnd(ends, features);
  if (end == nullptr) return nullptr;
  const CutOff cut_off = [&](const ExpressionPtr& within) -> ExpressionPtr {
    ExpressionPtr law = Combine(op, end, within);
    const bool holds =
        Gives(*law, samples) && SizesCutOff(samples, *within) >= kFewestSizes;
    return holds ? law : nullptr;
  };
  return FindCounted(inside, samples, features, cut_off);
}

}  // namespace

ExpressionPtr FindClamped(Samples samples, const SearchSpace& space) {
  const std::vector<Feature> features = FeaturesFor(samples, space);
  for (const Op op : {Op::kMinimum, Op::kMaximum}) {
    if (ExpressionPtr law = FindCutOff(samples, features, op)) return law;
  }
  return nullptr;
}

ExpressionPtr FindPowersAway(Samples samples, const SearchSpace& space) {
  const bool up = samples[0].value > samples[0].where.rank;
  std::vector<Sample> exponents;
  for (const Sample& s : samples) {
    const int64_t by = up ? s.value - s.where.rank : s.where.rank - s.value;
    if (s.value < 0 || by < 1 || !IsPowerOfTwo(by)) return nullptr;
    exponents.push_back({s.where, std::countr_zero(uint64_t(by))});
  }
  if (FindConstant(exponents)) return nullptr;
  SearchSpace plain = space;
  plain.ranked = false;
  ExpressionPtr exponent =
      FindCounted(exponents, exponents, FeaturesFor(exponents, plain),
                  [](const ExpressionPtr& law) { return law; });
  if (exponent == nullptr) exponent = FindClamped(exponents, plain);
  if (exponent == nullptr) return nullptr;
  return Combine(
      up ? Op::kAdd : Op::kSubtract, FeatureExpression(Kind::kRank),
      Combine(Op::kShiftLeft, ConstantExpression(1), std::move(exponent)));
}

}  // namespace ranksight::online_model
