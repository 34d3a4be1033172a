#include "online_model/structure/find_there.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {

namespace {

// By rank and by its place of several; nothing where one has two values.
std::optional<std::vector<std::vector<Sample>>> ByPlaces(
    std::span<const Sample> samples, int64_t each) {
  std::vector<std::map<std::pair<const Grid*, int64_t>, Sample>> others(
      static_cast<size_t>(each));
  for (const Sample& s : samples) {
    auto there = s.where.There(each);
    if (!there) return std::nullopt;
    auto& of_place = others[each > 1 ? size_t(there->position) : 0];
    there->position = there->length = 0;
    const auto [it, added] = of_place.try_emplace({there->grid, there->rank},
                                                  Sample{*there, s.value});
    if (!added && it->second.value != s.value) return std::nullopt;
  }
  std::vector<std::vector<Sample>> places;
  for (const auto& of_place : others) {
    auto& of_ranks = places.emplace_back();
    for (const auto& [rank, sample] : of_place) of_ranks.push_back(sample);
    if (of_ranks.empty()) return std::nullopt;
  }
  return places;
}

// The laws of a rank's places as one.
std::optional<ScalarLaw> InOne(const std::vector<ScalarLaw>& laws) {
  if (laws.size() == 1) return laws[0];
  ExpressionPtr all;
  for (size_t i = laws.size(); i-- > 0;) {
    ExpressionPtr e = ExpressionOf(laws[i]);
    if (e == nullptr) return std::nullopt;
    all = all == nullptr
              ? std::move(e)
              : SelectExpression(
                    Combine(Expression::Op::kEqual,
                            FeatureExpression(Feature::Kind::kPosition),
                            ConstantExpression(int64_t(i))),
                    std::move(e), std::move(all));
  }
  return OfExpression(std::move(all));
}

// See AtRank.
class OfRank {
 public:
  OfRank(ExpressionPtr rank, bool line) : rank_(std::move(rank)), line_(line) {}

  ExpressionPtr Of(const ExpressionPtr& e) const {
    switch (e->op) {
      case Op::kConstant:
        return e;
      case Op::kFeature:
        return Of(e->feature, e);
      case Op::kBlock:
        return BlockOf(*e);
      case Op::kMove:
      case Op::kCells:
      case Op::kOwn:
      case Op::kBits:
        return nullptr;
      default:
        return OfParts(*e);
    }
  }

 private:
  using Op = Expression::Op;
  using Kind = Feature::Kind;

  ExpressionPtr Of(const Feature& f, const ExpressionPtr& same) const {
    if (f.IsOfSize()) return same;
    if (IsStep()) {
      const ExpressionPtr at = CoordinateAlong(f.index);
      const ExpressionPtr side = FeatureExpression(Kind::kDim, f.index);
      if (f.kind == Kind::kCoord) return at;
      if (f.kind == Kind::kLeft) {
        return AffineExpression(1, Combine(Op::kSubtract, side, at), -1);
      }
      if (f.kind == Kind::kFirst) {
        return Combine(Op::kEqual, at, ConstantExpression(0));
      }
      if (f.kind == Kind::kLast) {
        return Combine(Op::kEqual, AffineExpression(1, at, 1), side);
      }
    }
    if (f.kind == Kind::kRank || (line_ && f.kind == Kind::kCoord)) {
      return rank_;
    }
    if (f.kind == Kind::kZeroRank || (line_ && f.kind == Kind::kFirst)) {
      return Combine(Op::kEqual, rank_, ConstantExpression(0));
    }
    if (f.kind == Kind::kEndRank || (line_ && f.kind == Kind::kLast)) {
      return Combine(Op::kEqual, AffineExpression(1, rank_, 1),
                     FeatureExpression(Kind::kRanks));
    }
    return nullptr;
  }

  // Whether it is so far along a side of a grid.
  bool IsStep() const {
    return !line_ && rank_->op == Op::kMove && rank_->a->op == Op::kConstant;
  }

  // Where a rank is along a side after such a step.
  ExpressionPtr CoordinateAlong(int side) const {
    ExpressionPtr at = FeatureExpression(Kind::kCoord, side);
    if (rank_->value != side) return at;
    return Combine(Op::kRemainder,
                   AffineExpression(1, std::move(at), rank_->a->value),
                   FeatureExpression(Kind::kDim, side));
  }

  ExpressionPtr BlockOf(const Expression& e) const {
    if (!line_ && !IsStep()) return nullptr;
    ExpressionPtr whole = Of(e.a);
    if (whole == nullptr) return nullptr;
    if (!line_) {
      const int side = int(e.value);
      return BlockAtExpression(std::move(whole),
                               FeatureExpression(Kind::kDim, side),
                               CoordinateAlong(side));
    }
    return BlockAtExpression(std::move(whole), FeatureExpression(Kind::kRanks),
                             rank_);
  }

  ExpressionPtr OfParts(const Expression& e) const {
    Expression there = e;
    for (ExpressionPtr* part : {&there.a, &there.b, &there.c}) {
      if (*part == nullptr) continue;
      *part = Of(*part);
      if (*part == nullptr) return nullptr;
    }
    return std::make_shared<const Expression>(std::move(there));
  }

  ExpressionPtr rank_;
  bool line_;
};

}  // namespace

ExpressionPtr PartnerOf(const ScalarLaw& peer) {
  if (peer.kind != ScalarLaw::Kind::kNeighbour || peer.on_line) {
    return ExpressionOf(peer);
  }
  const auto steps = [](int64_t by) { return by != 0; };
  const auto along = std::find_if(peer.by.begin(), peer.by.end(), steps);
  if (std::count_if(peer.by.begin(), peer.by.end(), steps) != 1) return nullptr;
  return MoveExpression(int(along - peer.by.begin()),
                        ConstantExpression(*along));
}

ExpressionPtr AtRank(ExpressionPtr rank, const ExpressionPtr& law,
                     bool is_line) {
  return OfRank(std::move(rank), is_line).Of(law);
}

std::optional<ScalarLaw> FindOfPartner(std::span<const Sample> samples,
                                       const SearchSpace& space) {
  if (space.partner == nullptr) return std::nullopt;
  std::map<std::pair<const Grid*, int64_t>, int64_t> values;
  for (const Sample& s : samples) {
    const int64_t other = space.partner->At(s.where);
    if (other < 0 || other >= s.where.ranks()) return std::nullopt;
    const auto [it, added] = values.try_emplace({s.where.grid, other}, s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  std::vector<Sample> of_partners;
  for (const auto& [rank, value] : values) {
    of_partners.push_back({Context(*rank.first, rank.second), value});
  }
  SearchSpace plain = space;
  plain.array = false;
  plain.partner = nullptr;
  const auto law = FindScalarLaw(of_partners, plain);
  const ExpressionPtr e = law ? ExpressionOf(*law) : nullptr;
  if (e == nullptr) return std::nullopt;
  ExpressionPtr there = AtRank(space.partner, e, space.ndims == 1);
  if (there == nullptr || !Gives(*there, samples)) return std::nullopt;
  return OfExpression(std::move(there));
}

std::optional<ScalarLaw> FindThere(std::span<const Sample> samples,
                                   const SearchSpace& space, int64_t each) {
  const auto places = ByPlaces(samples, each);
  if (!places) return std::nullopt;
  SearchSpace plain = space;
  plain.array = false;
  std::vector<ScalarLaw> laws;
  for (const auto& of_ranks : *places) {
    const auto found = FindScalarLaw(of_ranks, plain);
    if (!found) return std::nullopt;
    laws.push_back(*found);
  }
  const auto law_there = InOne(laws);
  if (!law_there) return std::nullopt;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kThere;
  law.constant = each > 1 ? each : 0;
  law.otherwise = std::make_shared<const ScalarLaw>(*law_there);
  return law;
}

std::vector<ExpressionPtr> PlacesThere(const ScalarLaw& law) {
  std::vector<ExpressionPtr> places;
  if (law.kind != ScalarLaw::Kind::kThere) return places;
  ExpressionPtr rest = ExpressionOf(*law.otherwise);
  for (int64_t i = 1; rest != nullptr && i < law.each(); ++i) {
    if (rest->op != Expression::Op::kSelect) return {};
    places.push_back(rest->b);
    rest = rest->c;
  }
  if (rest == nullptr) return {};
  places.push_back(std::move(rest));
  return places;
}

}  // namespace ranksight::online_model
