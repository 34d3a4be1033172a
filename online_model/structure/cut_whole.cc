#include "online_model/structure/cut_whole.h"

#include <algorithm>
#include <string>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

ExpressionPtr Number(int64_t v) { return ConstantExpression(v); }

// Where part x of the whole begins; part `parts` begins at its end.
int64_t BeginOf(Division division, int64_t whole, int64_t parts, int64_t x) {
  const int64_t each = whole / parts, over = whole % parts;
  switch (division) {
    case Division::kFirst:
      return x * each + std::min(x, over);
    case Division::kLast:
      return x * each + std::max<int64_t>(0, x - (parts - over));
    case Division::kSpread:
      return x * whole / parts;
    case Division::kRoundedUp:
      return std::min(whole, x * ((whole + parts - 1) / parts));
    case Division::kRest:
      return x == parts ? whole : x * each;
    case Division::kRestFirst:
      return x == 0 ? 0 : x * each + over;
    case Division::kNearest:
      return int64_t((2 * __int128(x) * whole + parts) / (2 * parts));
    case Division::kNearestBelow:
      return int64_t((2 * __int128(x) * whole + parts - 1) / (2 * parts));
  }
  return 0;
}

void AddNumbers(const Expression& e, std::set<int64_t>* numbers) {
  if (e.op == Op::kConstant) numbers->insert(e.value);
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr) AddNumbers(*part, numbers);
  }
}

}  // namespace

int64_t ValueOf(What what, Division division, int64_t whole, int64_t parts,
                int64_t x) {
  const int64_t begin = BeginOf(division, whole, parts, x);
  return what == What::kBegin ? begin
                              : BeginOf(division, whole, parts, x + 1) - begin;
}

// The same as laws of the place x and the number of parts.
ExpressionPtr BeginLaw(Division division, int64_t whole,
                       const ExpressionPtr& parts, const ExpressionPtr& x) {
  const ExpressionPtr all = Number(whole);
  const ExpressionPtr each = Combine(Op::kDivide, all, parts);
  const ExpressionPtr over = Combine(Op::kRemainder, all, parts);
  const ExpressionPtr before = Combine(Op::kMultiply, x, each);
  switch (division) {
    case Division::kFirst:
      return Combine(Op::kAdd, before, Combine(Op::kMinimum, x, over));
    case Division::kLast:
      return Combine(
          Op::kAdd, before,
          Combine(Op::kMaximum, Number(0),
                  Combine(Op::kSubtract, Combine(Op::kAdd, x, over), parts)));
    case Division::kSpread:
      return Combine(Op::kDivide, Combine(Op::kMultiply, x, all), parts);
    case Division::kRoundedUp:
      return Combine(
          Op::kMinimum, all,
          Combine(Op::kMultiply, x,
                  AffineExpression(
                      1, Combine(Op::kDivide, Number(whole - 1), parts), 1)));
    case Division::kRest:
      return before;
    case Division::kRestFirst:
      return SelectExpression(x, Combine(Op::kAdd, before, over), Number(0));
    case Division::kNearest:
    case Division::kNearestBelow: {
      const ExpressionPtr twice = Combine(
          Op::kAdd, Combine(Op::kMultiply, x, Number(2 * whole)),
          AffineExpression(1, parts, division == Division::kNearest ? 0 : -1));
      return Combine(Op::kDivide, twice, AffineExpression(2, parts, 0));
    }
  }
  return nullptr;
}

ExpressionPtr SizeLaw(Division division, int64_t whole,
                      const ExpressionPtr& parts, const ExpressionPtr& x) {
  const ExpressionPtr all = Number(whole);
  const ExpressionPtr each = Combine(Op::kDivide, all, parts);
  const ExpressionPtr over = Combine(Op::kRemainder, all, parts);
  const ExpressionPtr behind =
      AffineExpression(1, Combine(Op::kSubtract, parts, x), -1);
  switch (division) {
    case Division::kFirst:
      return Combine(Op::kAdd, each, Combine(Op::kLess, x, over));
    case Division::kLast:
      return Combine(Op::kAdd, each, Combine(Op::kLess, behind, over));
    case Division::kRest:
      return Combine(
          Op::kAdd, each,
          Combine(Op::kMultiply, over, Combine(Op::kEqual, behind, Number(0))));
    case Division::kRestFirst:
      return Combine(
          Op::kAdd, each,
          Combine(Op::kMultiply, over, Combine(Op::kEqual, x, Number(0))));
    default:
      return Combine(
          Op::kSubtract,
          BeginLaw(division, whole, parts, AffineExpression(1, x, 1)),
          BeginLaw(division, whole, parts, x));
  }
}

std::optional<Division> DivisionOf(const Expression& law, int ndims) {
  if (IsBlockOfNumber(law)) return Division::kFirst;
  std::set<int64_t> numbers;
  AddNumbers(law, &numbers);
  const std::string text = law.ToString();
  for (int side = 0; side < ndims; ++side) {
    const Line line{side, ndims};
    for (const int64_t whole : numbers) {
      for (const Division division : kDivisions) {
        const ExpressionPtr size =
            SizeLaw(division, whole, line.Parts(), line.PlaceLaw());
        if (size->ToString() == text) return division;
      }
    }
  }
  return std::nullopt;
}

ExpressionPtr OwnerLaw(Division division, const ExpressionPtr& whole,
                       const ExpressionPtr& parts, const ExpressionPtr& place) {
  const ExpressionPtr each = Combine(Op::kDivide, whole, parts);
  const ExpressionPtr over = Combine(Op::kRemainder, whole, parts);
  const auto less_one = [](const ExpressionPtr& e) {
    return AffineExpression(1, e, -1);
  };
  // By the longer parts and, where these are used up, by the shorter ones, of
  // which some may be empty.
  const auto from_longer = [&](const ExpressionPtr& k) {
    const ExpressionPtr longer =
        Combine(Op::kDivide, k, AffineExpression(1, each, 1));
    const ExpressionPtr shorter =
        Combine(Op::kDivide, Combine(Op::kSubtract, k, over), each);
    return SelectExpression(each, Combine(Op::kMaximum, longer, shorter),
                            longer);
  };
  switch (division) {
    case Division::kFirst:
      return from_longer(place);
    case Division::kLast:
      return Combine(
          Op::kSubtract, less_one(parts),
          from_longer(Combine(Op::kSubtract, less_one(whole), place)));
    case Division::kSpread:
      return Combine(Op::kDivide,
                     less_one(Combine(Op::kMultiply,
                                      AffineExpression(1, place, 1), parts)),
                     whole);
    case Division::kRoundedUp:
      return Combine(
          Op::kDivide, place,
          AffineExpression(1, Combine(Op::kDivide, less_one(whole), parts), 1));
    case Division::kRest:
      return SelectExpression(
          each,
          Combine(Op::kMinimum, Combine(Op::kDivide, place, each),
                  less_one(parts)),
          less_one(parts));
    case Division::kRestFirst:
      return SelectExpression(
          each,
          Combine(
              Op::kMaximum, Number(0),
              Combine(Op::kDivide, Combine(Op::kSubtract, place, over), each)),
          Number(0));
    // The last part that begins no later: 2 x whole <= (2 k + 1) parts, or
    // less.
    case Division::kNearest:
    case Division::kNearestBelow: {
      const ExpressionPtr middle =
          Combine(Op::kMultiply, parts, AffineExpression(2, place, 1));
      return Combine(Op::kDivide,
                     division == Division::kNearest ? less_one(middle) : middle,
                     AffineExpression(2, whole, 0));
    }
  }
  return nullptr;
}

std::vector<Line> LinesOf(const SearchSpace& space) {
  std::vector<Line> lines;
  if (space.array) lines.push_back({kPlaceDimension, space.ndims});
  for (int d = 0; d < space.ndims; ++d) lines.push_back({d, space.ndims});
  if (space.ndims == 1) lines.push_back({Line::kWorkers, 1});
  return lines;
}

std::vector<Line> LinesWithoutFirst(const SearchSpace& space) {
  std::vector<Line> lines;
  if (space.array) lines.push_back({kPlaceDimension, space.ndims, 1});
  if (space.ndims == 1 && !space.array) lines.push_back({Line::kWorkers, 1, 1});
  return lines;
}

std::optional<LineValues> ValuesOn(Samples samples, const Line& line) {
  std::map<int64_t, std::map<int64_t, int64_t>> seen;
  for (const Sample& s : samples) {
    const auto [it, added] =
        seen[line.Length(s.where)].try_emplace(line.Place(s.where), s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  LineValues values;
  bool differ = false;
  for (const auto& [parts, places] : seen) {
    if (parts < 1 || int64_t(places.size()) != parts - line.unseen ||
        places.begin()->first != line.unseen) {
      return std::nullopt;
    }
    values[parts].resize(size_t(line.unseen), kNotWhole);
    for (const auto& [place, v] : places) {
      values[parts].push_back(v);
      differ |= v != places.begin()->second;
    }
  }
  // Of one size, or two, almost any cut is one of these.
  constexpr size_t kLeastSizes = 2;
  if (!differ || values.size() < kLeastSizes) return std::nullopt;
  return values;
}

bool PartOfWhole::Gives(Division division, const LineValues& values) const {
  for (const auto& [parts, line] : values) {
    for (int64_t x = 0; x < parts; ++x) {
      if (line[size_t(x)] == kNotWhole) continue;
      const int64_t v = ValueOf(what, division, whole, parts, x);
      if (scale * v + add != line[size_t(x)]) return false;
    }
  }
  return true;
}

ExpressionPtr PartOfWhole::LawOf(Division division, const Line& line) const {
  return AffineExpression(
      scale,
      what == What::kSize
          ? SizeLaw(division, whole, line.Parts(), line.PlaceLaw())
          : BeginLaw(division, whole, line.Parts(), line.PlaceLaw()),
      add);
}

ExpressionPtr PartOfWhole::Law(const LineValues& values, const Line& line,
                               const SearchSpace& space) const {
  DivisionLaws laws;
  for (const Division division : kDivisions) {
    if (line.IsCut(division) && Gives(division, values)) {
      laws[size_t(division)] = LawOf(division, line);
    }
  }
  return LawOfWaysLeft(laws, {whole}, space);
}

ExpressionPtr LawOfWaysLeft(const DivisionLaws& laws,
                            const std::set<int64_t>& wholes,
                            const SearchSpace& space) {
  Divisions ways = 0;
  for (const Division division : kDivisions) {
    if (laws[size_t(division)] != nullptr) ways |= BitOf(division);
  }
  if (ways == 0) return nullptr;
  for (const int64_t whole : wholes) {
    if (space.cuts) ways = space.cuts->Narrow(whole, ways);
  }
  // Not before: along another side a rare way may be the only one.
  if ((ways & kCommonDivisions) != 0) ways &= kCommonDivisions;
  return LawOfDivisions(space, [&](Division division) {
    return (ways & BitOf(division)) != 0 ? laws[size_t(division)] : nullptr;
  });
}

void CutsSeen::AddSide(int64_t whole) { sides_.insert(whole); }

Divisions CutsSeen::LeftOf(int64_t whole) const {
  if (sides_.count(whole) > 0) return of_sides_;
  const auto left = left_.find(whole);
  return left == left_.end() ? kAllDivisions : left->second;
}

Divisions CutsSeen::Narrow(int64_t whole, Divisions ways) {
  const Divisions left = LeftOf(whole);
  if ((left & ways) != 0) {
    ways &= left;
    (sides_.count(whole) > 0 ? of_sides_ : left_[whole]) = ways;
  }
  given_[whole] |= ways;
  return ways;
}

bool CutsSeen::HasNarrowedToRare() const {
  return std::any_of(given_.begin(), given_.end(), [this](const auto& given) {
    const auto& [whole, ways] = given;
    return (ways & kCommonDivisions) != 0 &&
           (LeftOf(whole) & kCommonDivisions) == 0;
  });
}

bool CutsSeen::HasNarrowed() const {
  return std::any_of(given_.begin(), given_.end(), [this](const auto& given) {
    const auto& [whole, ways] = given;
    return (ways & ~LeftOf(whole)) != 0 && (ways & LeftOf(whole)) != 0;
  });
}

}  // namespace ranksight::online_model
