#include "online_model/structure/expression_pool.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "online_model/structure/dims_rule.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {

// An operation on the values of two entries at n probes; see ApplyToAll and
// IsAffine.
struct ExpressionPool::Operation {
  Expression::Op op;
  double cost;
  bool (*apply)(const int64_t* a, const int64_t* b, size_t n, int64_t* out);
  bool (*affine)(const int64_t* a, const int64_t* b, size_t n,
                 const int64_t* target, size_t differs);
};

namespace {

using Operation = ExpressionPool::Operation;

using Op = Expression::Op;

// Expressions beyond this are not kept: about 100 MB with 48 probes. Programs
// measured so far need fewer than 20,000.
constexpr size_t kMostEntries = 200'000;
// Larger values stand for nothing in a program.
constexpr int64_t kLargest = int64_t{1} << 36;

// Powers of two, for all pairs and for few.
constexpr size_t kFirstSlots = 1 << 12, kFewSlots = 1 << 8;

// Four sums side by side, as each step of one waits for the step before.
uint64_t HashOf(const Values& values) {
  constexpr uint64_t kOdd = 0xff51afd7ed558ccd;
  uint64_t lanes[] = {values.size(), 1, 2, 3};
  size_t i = 0;
  const auto mix = [](uint64_t hash, int64_t v) {
    hash = (hash ^ uint64_t(v)) * kOdd;
    return hash ^ hash >> 32;
  };
  for (; i + 4 <= values.size(); i += 4) {
    for (size_t k = 0; k < 4; ++k) lanes[k] = mix(lanes[k], values[i + k]);
  }
  for (; i < values.size(); ++i) lanes[0] = mix(lanes[0], values[i]);
  for (size_t k = 1; k < 4; ++k) lanes[0] = mix(lanes[0], int64_t(lanes[k]));
  return lanes[0];
}

bool Commutes(Op op) {
  return op == Op::kAdd || op == Op::kMultiply || op == Op::kXor ||
         op == Op::kMinimum || op == Op::kMaximum || op == Op::kEqual;
}

// The operation on n pairs; false where one has no whole result. One for each
// operation, so that the loop is free of the choice.
template <Op op>
bool ApplyToAll(const int64_t* a, const int64_t* b, size_t n, int64_t* out) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = Apply(op, a[i], b[i]);
    if (out[i] == kNotWhole) return false;
  }
  return true;
}

// Whether the target is an affine map of the operation on n pairs. differs:
// where it first differs from its first value.
template <Op op>
bool IsAffine(const int64_t* a, const int64_t* b, size_t n,
              const int64_t* target, size_t differs) {
  const int64_t first = Apply(op, a[0], b[0]);
  const int64_t other = Apply(op, a[differs], b[differs]);
  if (first == kNotWhole || other == kNotWhole || first == other) return false;
  const int64_t by = target[differs] - target[0];
  if (by % (other - first) != 0) return false;
  const int64_t factor = by / (other - first);
  for (size_t i = 1; i < n; ++i) {
    const int64_t v = Apply(op, a[i], b[i]);
    if (v == kNotWhole) return false;
    if (__int128(factor) * (v - first) != target[i] - target[0]) return false;
  }
  return true;
}

template <Op op>
constexpr Operation Of(double cost) {
  return {op, cost, &ApplyToAll<op>, &IsAffine<op>};
}
// Few programs shift, and few numbers have some shift.
constexpr Operation kOperations[] = {
    Of<Op::kAdd>(1),       Of<Op::kSubtract>(1),   Of<Op::kMultiply>(1),
    Of<Op::kDivide>(1.5),  Of<Op::kRemainder>(1),  Of<Op::kXor>(1),
    Of<Op::kShiftLeft>(2), Of<Op::kShiftRight>(2), Of<Op::kMinimum>(1.5),
    Of<Op::kMaximum>(1.5), Of<Op::kEqual>(1),      Of<Op::kLess>(1),
};

// Whether it is a logarithm that was one number in all runs: it would be
// another at the target, and N >> log2(d1) no half.
bool IsNumberInDisguise(const Expression& e, const Values& values) {
  if (e.op != Op::kFeature || !e.feature.IsLogarithm()) return false;
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t v) { return v == values[0]; });
}

std::vector<ExpressionPool::Match> CheapestFirst(
    std::vector<ExpressionPool::Match> found) {
  std::stable_sort(
      found.begin(), found.end(),
      [](const ExpressionPool::Match& a, const ExpressionPool::Match& b) {
        return a.cost < b.cost;
      });
  return found;
}

}  // namespace

template <class F>
size_t ExpressionPool::ForEachWith(const Values& values, uint64_t hash,
                                   F&& f) const {
  size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const auto id = size_t(slots_[slot]);
    if (hashes_[id] == hash &&
        std::equal(values.begin(), values.end(), this->values(id))) {
      f(id);
    }
  }
  return slot;
}

// Whether programs say so. They compare a condition with a condition or a
// number, never with a count, and divide nothing by a logarithm, though
// (r == N-1) < k and d0/log2(N) are short and give much. All but one get places
// in turn, k mod (N - 1), and nothing else: 2^k mod (N - 1) is 2^k going round.
bool ExpressionPool::IsSaid(Op op, size_t a, size_t b) const {
  const Leaf& first = leaf_[size_t(entries_[a].a)];
  const Leaf& second = leaf_[size_t(entries_[b].a)];
  if (op == Op::kLess || op == Op::kEqual) {
    return first.is_condition == second.is_condition || first.is_constant ||
           second.is_constant;
  }
  const bool divides = op == Op::kDivide || op == Op::kRemainder;
  if (first.is_others) return false;
  if (second.is_others) return divides && first.is_place;
  return !divides || !second.is_logarithm;
}

template <class F>
void ExpressionPool::AddPairs(F&& allowed) {
  Values values(n_);
  for (size_t a = 0; a < leaves_; ++a) {
    for (size_t b = 0; b < leaves_; ++b) {
      for (const Operation& operation : kOperations) {
        if (b < a && Commutes(operation.op)) continue;
        if (!IsSaid(operation.op, a, b)) continue;
        if (!allowed(a, b, operation)) continue;
        if (!operation.apply(this->values(a), this->values(b), n_,
                             values.data())) {
          continue;
        }
        Add({operation.op, int(a), int(b),
             this->cost(a) + this->cost(b) + operation.cost},
            values);
      }
    }
  }
}

ExpressionPool::ExpressionPool(const std::vector<Context>& probes,
                               const SearchSpace& space, Pairs pairs)
    : n_(probes.size()) {
  MakeSlots(pairs == Pairs::kAll ? kFirstSlots : kFewSlots);
  const bool halved =
      std::all_of(probes.begin(), probes.end(),
                  [](const Context& c) { return IsPowerOfTwo(c.ranks()); });
  for (const Feature& f : GridFeatures(space.ndims, space.array,
                                       space.counts || space.ranked, halved)) {
    AddLeaf(probes, FeatureExpression(f), f.cost());
  }
  // All but one who deals out to them, in turn.
  const ExpressionPtr others =
      AffineExpression(1, FeatureExpression(Feature::Kind::kRanks), -1);
  if (space.array) AddLeaf(probes, others, others->cost(), true);
  for (const Feature::Kind kind : kPartnerKinds) {
    if (space.array) AddLeaf(probes, FeatureExpression(kind), 2);
  }
  for (const auto& list : space.lists) {
    AddLeaf(probes, FeatureExpression({Feature::Kind::kDegree, 0, list}), 2);
  }
  for (const auto& own : space.own) {
    const ExpressionPtr e = OwnExpression(own);
    AddLeaf(probes, e, e->cost());
  }
  for (const ExpressionPtr& e : space.hints) {
    if (TakesHint(space, *e)) AddLeaf(probes, e, 2);
  }
  if (!space.array) {
    // Half of the machine, rounded down or up, is what programs compare with.
    const ExpressionPtr n =
        FeatureExpression({Feature::Kind::kRanks, 0, nullptr});
    for (const int64_t up : {0, 1}) {
      const ExpressionPtr half = Combine(
          Op::kDivide, AffineExpression(1, n, up), ConstantExpression(2));
      AddLeaf(probes, half, half->cost());
    }
  }
  for (const int64_t v : {1, 2, 3, 4})
    AddLeaf(probes, ConstantExpression(v), 1);
  leaves_ = entries_.size();
  if (pairs == Pairs::kAll) {
    // About as many as differ, so that values are seldom moved.
    values_.reserve(4 * leaves_ * leaves_ * n_);
    AddPairs([](size_t, size_t, const Operation&) { return true; });
  }
}

void ExpressionPool::AddPairsFor(const Values& target) {
  size_t differs = 0;
  while (differs < n_ && target[differs] == target[0]) ++differs;
  if (differs == n_) return;
  AddPairs([&](size_t a, size_t b, const Operation& operation) {
    return operation.affine(values(a), values(b), n_, target.data(), differs);
  });
}

void ExpressionPool::AddLeaf(const std::vector<Context>& probes,
                             ExpressionPtr e, double cost, bool is_others) {
  Values values;
  for (const Context& c : probes) values.push_back(e->At(c));
  if (IsNumberInDisguise(*e, values)) return;
  const bool is_feature = e->op == Op::kFeature;
  leaf_.push_back(
      {e, is_feature && e->feature.IsCondition(), e->op == Op::kConstant,
       is_feature && e->feature.IsLogarithm(),
       is_feature && e->feature.kind == Feature::Kind::kPosition, is_others});
  Add({Op::kFeature, int(leaf_.size()) - 1, 0, cost}, values);
}

void ExpressionPool::Add(const Entry& entry, const Values& values) {
  if (entries_.size() >= kMostEntries) return;
  for (const int64_t v : values) {
    if (v == kNotWhole || v > kLargest || v < -kLargest) return;
  }
  const uint64_t hash = HashOf(values);
  bool known = false;
  const size_t slot = ForEachWith(
      values, hash, [&](size_t id) { known |= cost(id) <= entry.cost; });
  if (known) return;
  slots_[slot] = int(entries_.size());
  hashes_.push_back(hash);
  entries_.push_back(entry);
  values_.insert(values_.end(), values.begin(), values.end());
  if (2 * entries_.size() > slots_.size()) MakeSlots(2 * slots_.size());
}

void ExpressionPool::MakeSlots(size_t count) {
  slots_.assign(count, -1);
  for (size_t id = 0; id < hashes_.size(); ++id) {
    size_t slot = hashes_[id] & (count - 1);
    while (slots_[slot] >= 0) slot = (slot + 1) & (count - 1);
    slots_[slot] = int(id);
  }
}

ExpressionPtr ExpressionPool::Build(size_t id) const {
  const Entry& e = entries_[id];
  if (id < leaves_) return leaf_[size_t(e.a)].e;
  return Combine(e.op, Build(size_t(e.a)), Build(size_t(e.b)));
}

std::vector<ExpressionPool::Match> ExpressionPool::Affine(
    const Values& target) const {
  std::vector<Match> found;
  size_t differs = 0;
  while (differs < n_ && target[differs] == target[0]) ++differs;
  if (differs == n_) return found;
  const int64_t by = target[differs] - target[0];
  for (size_t id = 0; id < entries_.size(); ++id) {
    const int64_t* v = values(id);
    const int64_t step = v[differs] - v[0];
    if (step == 0 || by % step != 0) continue;
    const int64_t factor = by / step;
    bool all = true;
    for (size_t i = 0; i < n_ && all; ++i) {
      all = __int128(factor) * (v[i] - v[0]) == target[i] - target[0];
    }
    if (!all) continue;
    const int64_t add = target[0] - factor * v[0];
    const double cost = this->cost(id) +
                        (factor == 1 ? 0 : ConstantCost(factor)) +
                        (add == 0 ? 0 : ConstantCost(add));
    found.push_back({cost, int(id), factor, add});
  }
  return CheapestFirst(std::move(found));
}

std::vector<ExpressionPool::Match> ExpressionPool::Equal(
    const Values& target) const {
  std::vector<Match> found;
  ForEachWith(target, HashOf(target), [&](size_t id) {
    found.push_back({cost(id), int(id), 1, 0});
  });
  return CheapestFirst(std::move(found));
}

PoolCache::Key PoolCache::KeyOf(const std::vector<Context>& probes,
                                const SearchSpace& space) {
  Key key{{},
          {},
          space.ndims,
          space.array,
          space.counts || space.ranked,
          space.lists,
          space.hints,
          space.own};
  for (const Context& c : probes) {
    key.probes.push_back({c.rank, c.position, c.length});
    key.grids.push_back(c.grid);
  }
  return key;
}

std::shared_ptr<const ExpressionPool> PoolCache::For(
    const std::vector<Context>& probes, const SearchSpace& space) {
  Key key = KeyOf(probes, space);
  const auto known =
      std::find_if(pools_.begin(), pools_.end(),
                   [&key](const auto& pool) { return pool.first == key; });
  if (known != pools_.end()) {
    std::rotate(known, known + 1, pools_.end());
    return pools_.back().second;
  }
  if (pools_.size() == kMost) pools_.erase(pools_.begin());
  return pools_
      .emplace_back(std::move(key),
                    std::make_shared<const ExpressionPool>(probes, space))
      .second;
}

}  // namespace ranksight::online_model
