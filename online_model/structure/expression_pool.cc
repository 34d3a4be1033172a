#include "online_model/structure/expression_pool.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "online_model/structure/dims_rule.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

// Expressions beyond this are not kept: about 100 MB with 48 probes. Programs
// measured so far need fewer than 20,000.
constexpr size_t kMostEntries = 200'000;
// Larger values stand for nothing in a program.
constexpr int64_t kLargest = int64_t{1} << 36;

uint64_t Mix(uint64_t hash, uint64_t v) {
  hash ^= v + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccd;
}

uint64_t HashOf(const Values& values) {
  uint64_t hash = values.size();
  for (const int64_t v : values) hash = Mix(hash, uint64_t(v));
  return hash;
}

// The same for all a * values + b; nothing for a constant.
std::optional<Values> DirectionOf(const Values& values) {
  Values out(values.size());
  int64_t divisor = 0, sign = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    out[i] = values[i] - values[0];
    divisor = std::gcd(divisor, out[i]);
    if (sign == 0 && out[i] != 0) sign = out[i] < 0 ? -1 : 1;
  }
  if (divisor == 0) return std::nullopt;
  for (int64_t& v : out) v = v / divisor * sign;
  return out;
}

bool Commutes(Op op) {
  return op == Op::kAdd || op == Op::kMultiply || op == Op::kXor ||
         op == Op::kMinimum || op == Op::kMaximum || op == Op::kEqual;
}

// Whether it is the same at all of these that are of one size.
bool IsSteady(const Expression& e, std::span<const Sample> samples) {
  std::map<const Grid*, int64_t> seen;
  return std::ranges::all_of(samples, [&](const Sample& s) {
    const int64_t v = e.At(s.where);
    return seen.try_emplace(s.where.grid, v).first->second == v;
  });
}

constexpr std::pair<Op, double> kOperations[] = {
    {Op::kAdd, 1},       {Op::kSubtract, 1},   {Op::kMultiply, 1},
    {Op::kDivide, 1.5},  {Op::kRemainder, 1},  {Op::kXor, 1},
    {Op::kShiftLeft, 1}, {Op::kShiftRight, 1}, {Op::kMinimum, 1.5},
    {Op::kMaximum, 1.5}, {Op::kEqual, 1},      {Op::kLess, 1},
};

}  // namespace

ExpressionPool::ExpressionPool(const std::vector<Context>& probes,
                               const SearchSpace& space)
    : probes_(probes), steady_(space.steady), n_(probes.size()) {
  const bool halved =
      std::all_of(probes.begin(), probes.end(),
                  [](const Context& c) { return IsPowerOfTwo(c.ranks()); });
  for (const Feature& f : GridFeatures(space.ndims, space.array,
                                       space.counts || space.ranked, halved)) {
    AddLeaf(FeatureExpression(f), f.cost());
  }
  for (const auto& list : space.lists) {
    AddLeaf(FeatureExpression({Feature::Kind::kDegree, 0, list}), 2);
  }
  for (const auto& own : space.own) {
    const ExpressionPtr e = OwnExpression(own);
    AddLeaf(e, e->cost());
  }
  for (const ExpressionPtr& e : space.hints) AddLeaf(e, 2);
  for (const int64_t v : {1, 2, 3, 4}) AddLeaf(ConstantExpression(v), 1);
  leaves_ = entries_.size();
  AddPairs();
}

void ExpressionPool::AddLeaf(ExpressionPtr e, double cost) {
  if (!IsSteady(*e, steady_)) return;
  Values values;
  for (const Context& c : probes_) values.push_back(e->At(c));
  leaf_.push_back(std::move(e));
  Add({Op::kFeature, int(leaf_.size()) - 1, 0, cost}, values);
}

void ExpressionPool::Add(const Entry& entry, const Values& values) {
  if (entries_.size() >= kMostEntries) return;
  for (const int64_t v : values) {
    if (v == kNotWhole || v > kLargest || v < -kLargest) return;
  }
  std::vector<int>& same = by_values_[HashOf(values)];
  for (const int id : same) {
    if (!std::equal(values.begin(), values.end(), this->values(size_t(id)))) {
      continue;
    }
    if (entries_[size_t(id)].cost <= entry.cost + 1) return;
  }
  const int id = int(entries_.size());
  same.push_back(id);
  entries_.push_back(entry);
  values_.insert(values_.end(), values.begin(), values.end());
  if (const auto direction = DirectionOf(values)) {
    by_direction_[HashOf(*direction)].push_back(id);
  }
}

void ExpressionPool::AddPairs() {
  Values values(n_);
  for (size_t a = 0; a < leaves_; ++a) {
    for (size_t b = 0; b < leaves_; ++b) {
      for (const auto& [op, cost] : kOperations) {
        if (b < a && Commutes(op)) continue;
        bool whole = true;
        for (size_t i = 0; i < n_ && whole; ++i) {
          values[i] = Apply(op, this->values(a)[i], this->values(b)[i]);
          whole = values[i] != kNotWhole;
        }
        if (!whole) continue;
        Add({op, int(a), int(b), this->cost(a) + this->cost(b) + cost}, values);
      }
    }
  }
}

ExpressionPtr ExpressionPool::Build(size_t id) const {
  const Entry& e = entries_[id];
  if (id < leaves_) return leaf_[size_t(e.a)];
  return Combine(e.op, Build(size_t(e.a)), Build(size_t(e.b)));
}

std::vector<ExpressionPool::Match> ExpressionPool::Affine(
    const Values& target) const {
  std::vector<Match> found;
  const auto direction = DirectionOf(target);
  if (!direction) return found;
  const auto it = by_direction_.find(HashOf(*direction));
  if (it == by_direction_.end()) return found;
  size_t differs = 0;
  while (target[differs] == target[0]) ++differs;
  for (const int id : it->second) {
    const int64_t* v = values(size_t(id));
    int64_t den = v[differs] - v[0], num = target[differs] - target[0];
    if (den == 0) continue;  // another vector with the same hash
    const int64_t g = std::gcd(num, den);
    num /= g;
    den /= g;
    if (den < 0) num = -num, den = -den;
    if (den != 1) continue;
    const int64_t add = target[0] - num * v[0];
    const double cost = this->cost(size_t(id)) +
                        (num == 1 ? 0 : ConstantCost(num)) +
                        (add == 0 ? 0 : ConstantCost(add));
    found.push_back({cost, id, num, den, add});
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const Match& a, const Match& b) { return a.cost < b.cost; });
  return found;
}

std::vector<ExpressionPool::Match> ExpressionPool::Equal(
    const Values& target) const {
  std::vector<Match> found;
  const auto it = by_values_.find(HashOf(target));
  if (it == by_values_.end()) return found;
  for (const int id : it->second) {
    if (std::equal(target.begin(), target.end(), values(size_t(id)))) {
      found.push_back({cost(size_t(id)), id, 1, 1, 0});
    }
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const Match& a, const Match& b) { return a.cost < b.cost; });
  return found;
}

}  // namespace ranksight::online_model
