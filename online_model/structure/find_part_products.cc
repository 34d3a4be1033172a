#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/find_parts.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Those with which ranks that differ along the side alone have samples at all
// its places: where rank 0 keeps its own block, its row and column are not
// whole.
std::vector<Sample> WithWholeRows(Samples samples, const Line& line) {
  if (line.dim < 0) return {samples.begin(), samples.end()};
  using Row = std::tuple<const Grid*, Coordinates, int64_t>;
  const auto row_of = [&line](const Sample& s) {
    Coordinates at = s.where.at;
    at[size_t(line.dim)] = 0;
    return Row(s.where.grid, at, s.where.position);
  };
  std::map<Row, std::set<int64_t>> rows;
  for (const Sample& s : samples) rows[row_of(s)].insert(line.Place(s.where));
  std::vector<Sample> whole;
  for (const Sample& s : samples) {
    const auto seen = int64_t(rows[row_of(s)].size());
    if (seen == line.Length(s.where)) whole.push_back(s);
  }
  return whole;
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
  for (const Sample& s : samples) seen[s.where.grid];
  for (const Sample& s : WithWholeRows(samples, line)) {
    Seen& at = seen[s.where.grid][line.Place(s.where)];
    at.sum += s.value;
    ++at.count;
  }
  std::map<const Grid*, std::vector<int64_t>> profiles;
  for (const auto& [grid, places] : seen) {
    std::vector<int64_t>& profile = profiles[grid];
    int64_t common = 0;
    if (places.empty()) return std::nullopt;
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

// The parts themselves, where all of them together are so many; by how many
// parts there are. Nothing where they would be no whole numbers, or not always
// the same of as many.
std::optional<LineValues> PartsOf(
    int64_t whole,
    const std::map<const Grid*, std::vector<int64_t>>& profiles) {
  LineValues values;
  for (const auto& [grid, profile] : profiles) {
    const int64_t sum =
        std::accumulate(profile.begin(), profile.end(), int64_t{0});
    if (whole % sum != 0) return std::nullopt;
    std::vector<int64_t> sizes = profile;
    for (int64_t& v : sizes) v *= whole / sum;
    const auto [it, added] = values.try_emplace(int64_t(profile.size()), sizes);
    if (!added && it->second != sizes) return std::nullopt;
  }
  return values;
}

// So many times the least whole may be the whole. Parts that differ by one have
// no common divisor. Where the last alone differs by what is left, which is
// less than there are parts, 6, 6 and 8 are to one another as 3, 3 and 4 are.
int64_t MostTimes(const std::vector<int64_t>& profile) {
  if (!AreEqual({profile.begin(), profile.end() - 1})) return 1;
  const int64_t apart = std::abs(profile.back() - profile.front());
  return std::max<int64_t>(1, (int64_t(profile.size()) - 1) / apart);
}

// Where several wholes are cut so, and a sure one is asked for, the law has a
// value where they agree.
std::optional<Factor> FactorAlong(Samples samples, const Line& line,
                                  const SearchSpace& space) {
  constexpr int64_t kLargestWhole = int64_t{1} << 40, kMostLaws = 8;
  const auto profiles = ProfilesOf(samples, line);
  if (!profiles) return std::nullopt;
  int64_t least = 1, most = kLargestWhole;
  bool any = false;
  for (const auto& [grid, profile] : *profiles) {
    if (AreEqual(profile)) continue;
    const int64_t sum =
        std::accumulate(profile.begin(), profile.end(), int64_t{0});
    if (sum / std::gcd(least, sum) > kLargestWhole / least) return std::nullopt;
    any = true;
    least = std::lcm(least, sum);
    most = std::min(most, sum * MostTimes(profile));
  }
  if (!any) return Factor();
  Factor factor;
  int64_t laws = 0;
  for (int64_t whole = least; whole <= most; whole += least) {
    const auto values = PartsOf(whole, *profiles);
    if (!values) continue;
    ExpressionPtr law =
        PartOfWhole{What::kSize, 1, 0, whole}.Law(*values, line, space);
    if (law == nullptr) continue;
    if (++laws > kMostLaws) return std::nullopt;
    if (laws == 1) {
      factor = {whole, std::move(law)};
      if (!space.certain) break;
      continue;
    }
    // Each as parts of the same whole.
    const int64_t both = std::lcm(factor.whole, whole);
    factor.law = AgreedExpression(
        AffineExpression(both / factor.whole, std::move(factor.law), 0),
        AffineExpression(both / whole, std::move(law), 0));
    factor.whole = both;
  }
  if (laws == 0) return std::nullopt;
  if (laws == 1 && space.wholes) space.wholes->insert(factor.whole);
  return factor;
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
    const __int128 all = __int128(s.value) * parts;
    // What is in no list has no parts along one.
    if (parts <= 0 || by == kNotWhole || by == 0 || all % by != 0) {
      return std::nullopt;
    }
    const __int128 here = all / by;
    if (here > INT64_MAX || here < INT64_MIN) return std::nullopt;
    if (scale.value_or(int64_t(here)) != here) return std::nullopt;
    scale = int64_t(here);
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
  // Those along which parts differ may divide as well: a transpose cuts what a
  // rank has of one side among the ranks that share another.
  std::vector<Line> equal, uneven;
  for (const Line& line : LinesOf(space)) {
    if (line.dim == Line::kWorkers) continue;
    auto factor = FactorAlong(samples, line, space);
    if (!factor) return nullptr;
    if (factor->whole == 0) {
      equal.push_back(line);
    } else {
      uneven.push_back(line);
      product = product == nullptr
                    ? factor->law
                    : Combine(Op::kMultiply, product, factor->law);
    }
  }
  if (product == nullptr) return nullptr;
  std::vector<Line> lines = equal;
  lines.insert(lines.end(), uneven.begin(), uneven.end());
  for (size_t mask = 0; mask < size_t{1} << lines.size(); ++mask) {
    std::vector<Line> dividing;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (mask >> i & 1) dividing.push_back(lines[i]);
    }
    auto scale = ScaleOf(samples, product, dividing);
    if (!scale) continue;
    const bool are_equal = mask < size_t{1} << equal.size();
    for (auto line = dividing.begin(); line != dividing.end();) {
      const int64_t whole =
          are_equal ? LikelyWhole(samples, *line, *scale, space) : 0;
      if (whole == 0) break;
      product = Combine(
          Op::kMultiply, product,
          SizeLaw(Division::kFirst, whole, line->Parts(), line->PlaceLaw()));
      *scale /= whole;
      line = dividing.erase(line);
    }
    if (dividing.empty()) return AffineExpression(*scale, product, 0);
    // It is the scale that is shared out: no matter that the product divides.
    ExpressionPtr each = ConstantExpression(*scale);
    for (const Line& line : dividing) {
      each = Combine(Op::kDivideExactly, each, line.Parts());
    }
    return Combine(Op::kMultiply, each, product);
  }
  return nullptr;
}

}  // namespace ranksight::online_model
