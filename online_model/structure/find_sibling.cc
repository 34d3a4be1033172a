#include "online_model/structure/find_sibling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;
using Order = std::vector<int>;

// More laws are searched no more.
constexpr size_t kMostSiblings = 128;
// Bits by which the numbers must say more than which law it is.
constexpr double kMargin = 3;

bool IsOfSide(Feature::Kind kind) {
  switch (kind) {
    case Feature::Kind::kDim:
    case Feature::Kind::kCoord:
    case Feature::Kind::kFirst:
    case Feature::Kind::kLast:
    case Feature::Kind::kPerDim:
    case Feature::Kind::kLog2Dim:
    case Feature::Kind::kTwos:
    case Feature::Kind::kLeft:
      return true;
    default:
      return false;
  }
}

bool AnyPart(const Expression& e, bool (*holds)(const Expression&)) {
  const auto part_holds = [&](const ExpressionPtr& part) {
    return part != nullptr && holds(*part);
  };
  return part_holds(e.a) || part_holds(e.b) || part_holds(e.c);
}

bool UsesSides(const Expression& e) {
  if (e.op == Op::kBlock) return true;
  if (e.op == Op::kFeature && IsOfSide(e.feature.kind)) return true;
  return AnyPart(e, &UsesSides);
}

bool IsOfThisGridAlone(const Expression& e) {
  if (e.op == Op::kMove || e.op == Op::kCells || e.op == Op::kOwn ||
      e.op == Op::kBits) {
    return true;
  }
  return AnyPart(e, &IsOfThisGridAlone);
}

ExpressionPtr WithSides(const ExpressionPtr& e, const Order& order) {
  if (e == nullptr) return e;
  Expression other = *e;
  if (e->op == Op::kFeature && IsOfSide(e->feature.kind)) {
    other.feature.index = order[size_t(e->feature.index)];
  }
  if (e->op == Op::kBlock) other.value = order[size_t(e->value)];
  other.a = WithSides(e->a, order);
  other.b = WithSides(e->b, order);
  other.c = WithSides(e->c, order);
  return std::make_shared<const Expression>(std::move(other));
}

// factor / divisor x e where that gives the samples.
ExpressionPtr ScaledTo(Samples samples, const ExpressionPtr& e) {
  const int64_t first = e->At(samples[0].where);
  if (first == kNotWhole || first <= 0 || samples[0].value <= 0) return nullptr;
  ExpressionPtr law = ScaledExpression(samples[0].value, first, e, 0);
  return Gives(*law, samples) ? law : nullptr;
}

// What law says is so many times a block of a number, and so much more;
// nothing for other laws.
std::optional<BlockForm> FormOf(const Expression& law, int ndims) {
  BlockForm form;
  const Expression* e = &law;
  for (;;) {
    const bool adds = e->op == Op::kAdd || e->op == Op::kSubtract;
    if (adds && e->b->op == Op::kConstant) {
      form.add += (e->op == Op::kAdd ? 1 : -1) * form.factor * e->b->value;
      e = e->a.get();
    } else if (e->op == Op::kMultiply && e->a->op == Op::kConstant) {
      form.factor *= e->a->value;
      e = e->b.get();
    } else {
      break;
    }
  }
  const auto division = DivisionOf(*e, ndims);
  if (form.factor <= 0 || !division) return std::nullopt;
  form.division = *division;
  return form;
}

// The same of blocks; empty where some are not whole.
std::vector<Sample> BlocksOf(Samples samples, const BlockForm& form) {
  std::vector<Sample> blocks(samples.begin(), samples.end());
  for (Sample& s : blocks) {
    s.value -= form.add;
    if (s.value % form.factor != 0) return {};
    s.value /= form.factor;
  }
  return blocks;
}

// What the values of all places along a side sum up to, where some line of
// ranks has them all, in each run: the same in runs in which that side is not
// as long. 0 where it is not.
int64_t SumOfLines(Samples samples, int side) {
  std::map<std::pair<const Grid*, Coordinates>, std::pair<int64_t, int64_t>>
      lines;  // sum, places
  for (const Sample& s : samples) {
    Coordinates at = s.where.at;
    at[size_t(side)] = 0;
    auto& [sum, places] = lines[{s.where.grid, at}];
    sum += s.value;
    ++places;
  }
  int64_t whole = 0;
  std::set<int64_t> lengths;
  for (const auto& [line, seen] : lines) {
    const int64_t length = line.first->dims[size_t(side)];
    if (seen.second != length) continue;
    if (whole != 0 && seen.first != whole) return 0;
    whole = seen.first;
    lengths.insert(length);
  }
  return lengths.size() < 2 ? 0 : whole;
}

// Bits of the different numbers beyond the first, which says the factor.
double BitsBeyondFirst(Samples samples) {
  std::set<int64_t> seen;
  double bits = 0;
  for (const Sample& s : samples) {
    if (!seen.insert(s.value).second || seen.size() == 1) continue;
    bits += ConstantCost(s.value);
  }
  return bits;
}

}  // namespace

void SiblingLaws::Add(const ScalarLaw& law, int ndims) {
  if (ndims < 2 || laws_.size() >= kMostSiblings) return;
  const ExpressionPtr e = ExpressionOf(law);
  if (e == nullptr || !UsesSides(*e) || IsOfThisGridAlone(*e)) return;
  ndims_ = ndims;
  if (const auto form = FormOf(*e, ndims)) {
    block_forms_.insert(*form);
    // What has a block and its halo once, or so many times.
    if (form->add % form->factor == 0) {
      block_forms_.insert({1, form->add / form->factor, form->division});
    }
  }
  Order order(static_cast<size_t>(ndims));
  std::iota(order.begin(), order.end(), 0);
  do {
    ExpressionPtr other = WithSides(e, order);
    const std::string text = other->ToString();
    const bool known =
        std::any_of(laws_.begin(), laws_.end(),
                    [&](const auto& l) { return l->ToString() == text; });
    if (!known) laws_.push_back(std::move(other));
  } while (std::next_permutation(order.begin(), order.end()));
}

ExpressionPtr SiblingLaws::Find(Samples samples) const {
  if (laws_.empty()) return nullptr;
  const double needed = std::log2(double(laws_.size())) + kMargin;
  if (BitsBeyondFirst(samples) < needed) return nullptr;
  for (const ExpressionPtr& e : laws_) {
    if (auto law = ScaledTo(samples, e)) return law;
  }
  for (const BlockForm& form : block_forms_) {
    const std::vector<Sample> blocks = BlocksOf(samples, form);
    for (int side = 0; !blocks.empty() && side < ndims_; ++side) {
      const int64_t whole = SumOfLines(blocks, side);
      if (whole <= 0) continue;
      const Line line{side, ndims_};
      auto law = AffineExpression(
          form.factor,
          form.division == Division::kFirst
              ? BlockExpression(whole, side)
              : SizeLaw(form.division, whole, line.Parts(), line.PlaceLaw()),
          form.add);
      if (Gives(*law, samples)) return law;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
