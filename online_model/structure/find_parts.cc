#include "online_model/structure/find_parts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Who gets what is left over.
enum class Cut { kFirst, kLast, kSpread, kRoundedUp, kRest };
constexpr std::array kCuts = {Cut::kFirst, Cut::kLast, Cut::kSpread,
                              Cut::kRoundedUp, Cut::kRest};
enum class What { kSize, kBegin };

// Where part x of the whole begins; part `parts` begins at its end.
int64_t BeginOf(Cut cut, int64_t whole, int64_t parts, int64_t x) {
  const int64_t each = whole / parts, over = whole % parts;
  switch (cut) {
    case Cut::kFirst:
      return x * each + std::min(x, over);
    case Cut::kLast:
      return x * each + std::max<int64_t>(0, x - (parts - over));
    case Cut::kSpread:
      return x * whole / parts;
    case Cut::kRoundedUp:
      return std::min(whole, x * ((whole + parts - 1) / parts));
    case Cut::kRest:
      return x == parts ? whole : x * each;
  }
  return 0;
}

int64_t ValueOf(What what, Cut cut, int64_t whole, int64_t parts, int64_t x) {
  const int64_t begin = BeginOf(cut, whole, parts, x);
  return what == What::kBegin ? begin
                              : BeginOf(cut, whole, parts, x + 1) - begin;
}

ExpressionPtr Number(int64_t v) { return ConstantExpression(v); }

// The same as laws of the place x and the number of parts.
ExpressionPtr BeginLaw(Cut cut, int64_t whole, const ExpressionPtr& parts,
                       const ExpressionPtr& x) {
  const ExpressionPtr all = Number(whole);
  const ExpressionPtr each = Combine(Op::kDivide, all, parts);
  const ExpressionPtr over = Combine(Op::kRemainder, all, parts);
  const ExpressionPtr before = Combine(Op::kMultiply, x, each);
  switch (cut) {
    case Cut::kFirst:
      return Combine(Op::kAdd, before, Combine(Op::kMinimum, x, over));
    case Cut::kLast:
      return Combine(
          Op::kAdd, before,
          Combine(Op::kMaximum, Number(0),
                  Combine(Op::kSubtract, Combine(Op::kAdd, x, over), parts)));
    case Cut::kSpread:
      return Combine(Op::kDivide, Combine(Op::kMultiply, x, all), parts);
    case Cut::kRoundedUp:
      return Combine(
          Op::kMinimum, all,
          Combine(Op::kMultiply, x,
                  AffineExpression(
                      1, Combine(Op::kDivide, Number(whole - 1), parts), 1)));
    case Cut::kRest:
      return before;
  }
  return nullptr;
}

ExpressionPtr SizeLaw(Cut cut, int64_t whole, const ExpressionPtr& parts,
                      const ExpressionPtr& x) {
  const ExpressionPtr all = Number(whole);
  const ExpressionPtr each = Combine(Op::kDivide, all, parts);
  const ExpressionPtr over = Combine(Op::kRemainder, all, parts);
  const ExpressionPtr behind =
      AffineExpression(1, Combine(Op::kSubtract, parts, x), -1);
  switch (cut) {
    case Cut::kFirst:
      return Combine(Op::kAdd, each, Combine(Op::kLess, x, over));
    case Cut::kLast:
      return Combine(Op::kAdd, each, Combine(Op::kLess, behind, over));
    case Cut::kRest:
      return Combine(
          Op::kAdd, each,
          Combine(Op::kMultiply, over, Combine(Op::kEqual, behind, Number(0))));
    default:
      return Combine(Op::kSubtract,
                     BeginLaw(cut, whole, parts, AffineExpression(1, x, 1)),
                     BeginLaw(cut, whole, parts, x));
  }
}

// A side of the grid, the places of a list, or all ranks but rank 0, which
// deals out to the others.
struct Line {
  static constexpr int kWorkers = kPlaceDimension - 1;

  int dim = 0;
  int ndims = 1;

  int64_t Length(const Context& c) const {
    return dim == kWorkers ? c.ranks() - 1 : c.Length(dim);
  }
  int64_t Place(const Context& c) const {
    return dim == kWorkers ? c.rank - 1 : c.Place(dim);
  }

  ExpressionPtr Parts() const { return Of(true); }
  ExpressionPtr PlaceLaw() const { return Of(false); }

 private:
  ExpressionPtr Of(bool length) const {
    using Kind = Feature::Kind;
    if (dim == kWorkers) {
      const Kind all = length ? Kind::kRanks : Kind::kRank;
      return AffineExpression(1, FeatureExpression({all, 0, nullptr}), -1);
    }
    if (dim == kPlaceDimension) {
      return FeatureExpression(
          {length ? Kind::kLength : Kind::kPosition, 0, nullptr});
    }
    if (ndims == 1) {
      return FeatureExpression(
          {length ? Kind::kRanks : Kind::kRank, 0, nullptr});
    }
    return FeatureExpression(
        {length ? Kind::kDim : Kind::kCoord, dim, nullptr});
  }
};

// What is seen at each place of lines of so many.
using Values = std::map<int64_t, std::vector<int64_t>>;

// Nothing where a place has two values, or one was never seen; or where no
// parts of a line ever differ.
std::optional<Values> ValuesOn(Samples samples, const Line& line) {
  std::map<int64_t, std::map<int64_t, int64_t>> seen;
  for (const Sample& s : samples) {
    const auto [it, added] =
        seen[line.Length(s.where)].try_emplace(line.Place(s.where), s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  Values values;
  bool differ = false;
  for (const auto& [parts, places] : seen) {
    if (parts < 1 || int64_t(places.size()) != parts ||
        places.begin()->first != 0) {
      return std::nullopt;
    }
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

// By what the values differ, and all that divides it, largest first.
std::vector<int64_t> ScalesOf(const Values& values) {
  int64_t common = 0;
  for (const auto& [parts, line] : values) {
    for (const int64_t v : line) common = std::gcd(common, v - line[0]);
  }
  std::vector<int64_t> scales;
  for (int64_t d = 1; d * d <= common; ++d) {
    if (common % d != 0) continue;
    scales.push_back(d);
    if (d * d != common) scales.push_back(common / d);
  }
  std::sort(scales.rbegin(), scales.rend());
  constexpr size_t kMostScales = 64;
  scales.resize(std::min(scales.size(), kMostScales));
  return scales;
}

struct Part {
  What what = What::kSize;
  int64_t scale = 1, add = 0, whole = 0;

  bool Gives(Cut cut, const Values& values) const {
    for (const auto& [parts, line] : values) {
      for (int64_t x = 0; x < parts; ++x) {
        const int64_t v = ValueOf(what, cut, whole, parts, x);
        if (scale * v + add != line[size_t(x)]) return false;
      }
    }
    return true;
  }
  ExpressionPtr LawOf(Cut cut, const Line& line) const {
    return AffineExpression(
        scale,
        what == What::kSize
            ? SizeLaw(cut, whole, line.Parts(), line.PlaceLaw())
            : BeginLaw(cut, whole, line.Parts(), line.PlaceLaw()),
        add);
  }
  // With a value where all cuts that give the values agree; the likeliest of
  // them where what it predicts is compared next.
  ExpressionPtr Law(const Values& values, const Line& line,
                    const SearchSpace& space) const {
    ExpressionPtr law;
    for (const Cut cut : kCuts) {
      if (!Gives(cut, values)) continue;
      ExpressionPtr e = LawOf(cut, line);
      law = law == nullptr ? e : AgreedExpression(law, e);
      if (!space.certain) break;
    }
    return law;
  }
};

// Wholes that the values of the longest line may be parts of.
std::set<int64_t> WholesOf(const Values& values, const Part& part,
                           const SearchSpace& space) {
  const auto& [parts, line] = *values.rbegin();
  std::set<int64_t> wholes;
  if (part.what == What::kSize) {
    int64_t sum = 0;
    for (const int64_t v : line) sum += (v - part.add) / part.scale;
    return {sum};
  }
  // The end of the last part is not among its beginnings.
  const int64_t last = (line.back() - part.add) / part.scale;
  for (size_t x = 1; x < line.size(); ++x) {
    wholes.insert(last + (line[x] - line[x - 1]) / part.scale);
  }
  if (space.wholes) wholes.insert(space.wholes->begin(), space.wholes->end());
  return wholes;
}

ExpressionPtr FindOn(const Values& values, const Line& line, What what,
                     const SearchSpace& space) {
  for (const int64_t scale : ScalesOf(values)) {
    std::vector<int64_t> adds = {0, scale, 2 * scale};
    if (what == What::kBegin) adds = {values.begin()->second[0]};
    for (const int64_t add : adds) {
      Part part{what, scale, add, 0};
      for (const int64_t whole : WholesOf(values, part, space)) {
        part.whole = whole;
        if (whole <= 0) continue;
        ExpressionPtr law = part.Law(values, line, space);
        if (law == nullptr) continue;
        if (space.wholes) space.wholes->insert(whole);
        return law;
      }
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

// The sums of all samples at each place of a line, as the smallest numbers that
// are to one another as those are: the parts themselves, as two that differ by
// one have no common divisor. By size; nothing where places were not all seen
// equally often.
std::optional<std::map<const Grid*, std::vector<int64_t>>> ProfilesOf(
    Samples samples, const Line& line) {
  struct Seen {
    int64_t sum = 0, count = 0;
  };
  std::map<const Grid*, std::map<int64_t, Seen>> seen;
  for (const Sample& s : samples) {
    Seen& at = seen[s.where.grid][line.Place(s.where)];
    at.sum += s.value;
    ++at.count;
  }
  std::map<const Grid*, std::vector<int64_t>> profiles;
  for (const auto& [grid, places] : seen) {
    std::vector<int64_t>& profile = profiles[grid];
    int64_t common = 0;
    for (const auto& [place, at] : places) {
      if (place != int64_t(profile.size()) || at.sum <= 0 ||
          at.count != places.begin()->second.count) {
        return std::nullopt;
      }
      profile.push_back(at.sum);
      common = std::gcd(common, at.sum);
    }
    for (int64_t& v : profile) v /= common;
  }
  return profiles;
}

bool AreEqual(const std::vector<int64_t>& values) {
  return std::adjacent_find(values.begin(), values.end(),
                            std::not_equal_to<>()) == values.end();
}

// Parts along one line. whole 0: they are always equal.
struct Factor {
  int64_t whole = 0;
  ExpressionPtr law;
};

std::optional<Factor> FactorAlong(Samples samples, const Line& line,
                                  const SearchSpace& space) {
  const auto profiles = ProfilesOf(samples, line);
  if (!profiles) return std::nullopt;
  int64_t whole = 0;
  for (const auto& [grid, profile] : *profiles) {
    if (AreEqual(profile)) continue;
    const int64_t sum =
        std::accumulate(profile.begin(), profile.end(), int64_t{0});
    if (whole != 0 && whole != sum) return std::nullopt;
    whole = sum;
  }
  if (whole == 0) return Factor();
  Values values;
  for (const auto& [grid, profile] : *profiles) {
    const auto parts = int64_t(profile.size());
    std::vector<int64_t> sizes = profile;
    if (AreEqual(profile)) {
      if (whole % parts != 0) return std::nullopt;
      sizes.assign(size_t(parts), whole / parts);
    }
    const auto [it, added] = values.try_emplace(parts, sizes);
    if (!added && it->second != sizes) return std::nullopt;
  }
  ExpressionPtr law = Part{What::kSize, 1, 0, whole}.Law(values, line, space);
  if (law == nullptr) return std::nullopt;
  if (space.wholes) space.wholes->insert(whole);
  return Factor{whole, std::move(law)};
}

// What is left of each sample, which the size alone decides, times the lengths
// of these lines; nothing where that is not one number.
std::optional<int64_t> ScaleOf(Samples samples, const ExpressionPtr& product,
                               const std::vector<Line>& dividing) {
  std::optional<int64_t> scale;
  for (const Sample& s : samples) {
    int64_t parts = 1;
    for (const Line& line : dividing) parts *= line.Length(s.where);
    const int64_t by = product->At(s.where);
    if (by == kNotWhole || by == 0 || s.value * parts % by != 0) {
      return std::nullopt;
    }
    const int64_t here = s.value * parts / by;
    if (scale.value_or(here) != here) return std::nullopt;
    scale = here;
  }
  return scale;
}

// Of equal parts nothing shows what they are parts of. Where what they predict
// is compared next, it is likely a whole that other laws cut; 0: none.
int64_t LikelyWhole(Samples samples, const Line& line, int64_t scale,
                    const SearchSpace& space) {
  if (space.certain || space.wholes == nullptr) return 0;
  for (const int64_t whole : *space.wholes) {
    const bool equal = std::all_of(
        samples.begin(), samples.end(),
        [&](const Sample& s) { return whole % line.Length(s.where) == 0; });
    if (whole > 1 && scale % whole == 0 && equal) return whole;
  }
  return 0;
}

}  // namespace

ExpressionPtr FindProductOfParts(Samples samples, const SearchSpace& space) {
  ExpressionPtr product;
  std::vector<Line> equal;
  for (const Line& line : LinesOf(space)) {
    if (line.dim == Line::kWorkers) continue;
    auto factor = FactorAlong(samples, line, space);
    if (!factor) return nullptr;
    if (factor->whole == 0) {
      equal.push_back(line);
    } else {
      product = product == nullptr
                    ? factor->law
                    : Combine(Op::kMultiply, product, factor->law);
    }
  }
  if (product == nullptr) return nullptr;
  for (size_t mask = 0; mask < size_t{1} << equal.size(); ++mask) {
    std::vector<Line> dividing;
    for (size_t i = 0; i < equal.size(); ++i) {
      if (mask >> i & 1) dividing.push_back(equal[i]);
    }
    auto scale = ScaleOf(samples, product, dividing);
    if (!scale) continue;
    for (auto line = dividing.begin(); line != dividing.end();) {
      const int64_t whole = LikelyWhole(samples, *line, *scale, space);
      if (whole == 0) break;
      product =
          Combine(Op::kMultiply, product,
                  SizeLaw(Cut::kFirst, whole, line->Parts(), line->PlaceLaw()));
      *scale /= whole;
      line = dividing.erase(line);
    }
    ExpressionPtr law = AffineExpression(*scale, product, 0);
    for (const Line& line : dividing) {
      law = Combine(Op::kDivideExactly, law, line.Parts());
    }
    return law;
  }
  return nullptr;
}

ExpressionPtr FindParts(Samples samples, const SearchSpace& space) {
  for (const Line& line : LinesOf(space)) {
    const auto values = ValuesOn(samples, line);
    if (!values) continue;
    for (const What what : {What::kSize, What::kBegin}) {
      if (auto law = FindOn(*values, line, what, space)) return law;
    }
  }
  return nullptr;
}

ExpressionPtr FindAllButFirst(Samples samples, const SearchSpace& space) {
  // Of two values one whole of several gives both.
  constexpr size_t kLeastValues = 3;
  std::set<int64_t> seen;
  for (const Sample& s : samples) seen.insert(s.value);
  if (space.wholes == nullptr || seen.size() < kLeastValues ||
      !DependOnSizeOnly(samples)) {
    return nullptr;
  }
  for (const Line& line : LinesOf(space)) {
    for (const int64_t whole : *space.wholes) {
      ExpressionPtr law;
      for (const Cut cut : kCuts) {
        const ExpressionPtr e =
            Combine(Op::kSubtract, Number(whole),
                    SizeLaw(cut, whole, line.Parts(), Number(0)));
        if (!Gives(*e, samples)) continue;
        law = law == nullptr ? e : AgreedExpression(law, e);
        if (!space.certain) break;
      }
      if (law != nullptr) return law;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
