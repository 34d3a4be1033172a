#include "online_model/structure/find_parts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// By what the values differ, and all that divides it, largest first.
std::vector<int64_t> ScalesOf(const LineValues& values) {
  int64_t common = 0;
  for (const auto& [parts, line] : values) {
    for (const int64_t v : line) {
      if (v != kNotWhole) common = std::gcd(common, v - line.back());
    }
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

// Wholes that the values of the longest line may be parts of, but for those
// that other laws share out.
std::set<int64_t> WholesOf(const LineValues& values, const PartOfWhole& part) {
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
  return wholes;
}

// The law of a whole in units that all values are made of, or where laws in
// smaller units hold as well what they agree on: 16, 12, 10 and 6 of 128 are as
// well twice 8, 6, 5 and 3 of 64.
ExpressionPtr AgreedInSmallerUnits(ExpressionPtr law, const LineValues& values,
                                   const Line& line, const PartOfWhole& part,
                                   const SearchSpace& space) {
  for (const int64_t scale : ScalesOf(values)) {
    if (scale >= part.scale || part.scale % scale != 0) continue;
    PartOfWhole smaller = part;
    smaller.scale = scale;
    smaller.whole = part.whole * (part.scale / scale);
    ExpressionPtr other = smaller.Law(values, line, space);
    if (other != nullptr) law = AgreedExpression(other, law);
  }
  return law;
}

// known: as parts of what other laws share out.
ExpressionPtr FindOn(const LineValues& values, const Line& line, What what,
                     bool known, const SearchSpace& space) {
  for (const int64_t scale : ScalesOf(values)) {
    std::vector<int64_t> adds = {0, scale, 2 * scale};
    if (what == What::kBegin) adds = {values.begin()->second[0]};
    for (const int64_t add : adds) {
      PartOfWhole part{what, scale, add, 0};
      for (const int64_t whole :
           known ? *space.wholes : WholesOf(values, part)) {
        part.whole = whole;
        // Of less than one for each nothing is shared: some ranks are named.
        if (whole < values.begin()->first) continue;
        ExpressionPtr law = part.Law(values, line, space);
        if (law == nullptr) continue;
        if (space.wholes && !known) space.wholes->insert(whole);
        if (!space.certain || known || add != 0 || what != What::kSize) {
          return law;
        }
        return AgreedInSmallerUnits(law, values, line, part, space);
      }
    }
  }
  return nullptr;
}

// Where the first part is not seen: it is about as large as the next one or,
// where it takes what is left over, by up to so much larger as there are parts.
std::set<int64_t> WholesWithoutFirst(const LineValues::value_type& shortest,
                                     const PartOfWhole& part) {
  const auto& [parts, line] = shortest;
  std::set<int64_t> wholes;
  if (line.size() < 2) return wholes;
  int64_t sum = 0;
  for (size_t x = 1; x < line.size(); ++x) {
    sum += (line[x] - part.add) / part.scale;
  }
  const int64_t next = (line[1] - part.add) / part.scale;
  for (int64_t more = -1; more < parts; ++more) {
    wholes.insert(sum + next + more);
  }
  return wholes;
}

// Where the first part is not seen. What it is made of several wholes may
// allow: what they agree on. One that is the only one is shared out by others
// as well.
ExpressionPtr FindWithoutFirst(const LineValues& values, const Line& line,
                               const SearchSpace& space) {
  for (const int64_t scale : ScalesOf(values)) {
    for (const int64_t add : {int64_t{0}, scale, 2 * scale}) {
      ExpressionPtr law;
      std::vector<int64_t> fitting;
      PartOfWhole part{What::kSize, scale, add, 0};
      for (const int64_t whole : WholesWithoutFirst(*values.begin(), part)) {
        part.whole = whole;
        if (whole < values.begin()->first) continue;
        ExpressionPtr one = part.Law(values, line, space);
        if (one == nullptr) continue;
        fitting.push_back(whole);
        if (law == nullptr) {
          law = one;
        } else if (space.certain) {
          law = AgreedExpression(law, one);
        }
      }
      if (fitting.size() == 1 && space.wholes != nullptr) {
        space.wholes->insert(fitting[0]);
      }
      if (law != nullptr) return law;
    }
  }
  return nullptr;
}

// By how much more an inner part may have than one at an end, which has a
// neighbour less: its halo, where inner parts differ by one at most.
std::set<int64_t> HalosAtEnds(const LineValues& values) {
  const auto& [parts, line] = *values.rbegin();
  std::set<int64_t> halos;
  constexpr int64_t kFewestParts = 3;
  if (parts < kFewestParts) return halos;
  for (const int64_t more :
       {line[1] - line[0], line[line.size() - 2] - line.back()}) {
    for (const int64_t halo : {more - 1, more, more + 1}) {
      if (halo > 0) halos.insert(halo);
    }
  }
  return halos;
}

// Parts with a halo towards each neighbour that there is.
ExpressionPtr FindBetweenNeighbours(const LineValues& values, const Line& line,
                                    const SearchSpace& space) {
  for (const int64_t halo : HalosAtEnds(values)) {
    LineValues inner = values;
    for (auto& [parts, of_line] : inner) {
      for (int64_t x = 0; x < parts; ++x) {
        of_line[size_t(x)] -= halo * ((x > 0) + (x + 1 < parts));
      }
    }
    ExpressionPtr law = FindOn(inner, line, What::kSize, false, space);
    if (law == nullptr) continue;
    const ExpressionPtr place = line.PlaceLaw();
    const ExpressionPtr neighbours = Combine(
        Op::kAdd, Combine(Op::kLess, ConstantExpression(0), place),
        Combine(Op::kLess, AffineExpression(1, place, 1), line.Parts()));
    return Combine(Op::kAdd, std::move(law),
                   AffineExpression(halo, neighbours, 0));
  }
  return nullptr;
}

// Where rank 0 has nothing, as it need not send its part to itself.
ExpressionPtr FindBesideIdleFirst(Samples samples, const SearchSpace& space) {
  std::vector<Sample> others;
  for (const Sample& s : samples) {
    if (s.where.rank != 0) {
      others.push_back(s);
    } else if (s.value != 0) {
      return nullptr;
    }
  }
  if (others.size() == samples.size()) return nullptr;
  for (const Line& line : LinesWithoutFirst(space)) {
    if (line.dim != Line::kWorkers) continue;
    const auto values = ValuesOn(others, line);
    if (!values) continue;
    ExpressionPtr law = FindWithoutFirst(*values, line, space);
    if (law == nullptr) continue;
    const ExpressionPtr is_other =
        Combine(Op::kLess, ConstantExpression(0),
                FeatureExpression(Feature::Kind::kRank));
    return Combine(Op::kMultiply, is_other, std::move(law));
  }
  return nullptr;
}

bool HasOnlyFirstAny(Samples samples) {
  return std::ranges::all_of(samples, [](const Sample& s) {
    return s.where.rank == 0 || s.value == 0;
  });
}

// What all parts of lines of different lengths have on top of their share, for
// the shares of each come to the same whole: the halo of a block. Nothing where
// no number does.
std::optional<int64_t> HaloOf(const LineValues& values) {
  const auto sum = [](const std::vector<int64_t>& line) {
    return std::accumulate(line.begin(), line.end(), __int128{0});
  };
  const auto& [parts, line] = *values.begin();
  const auto& [more_parts, longest] = *values.rbegin();
  const __int128 by = sum(longest) - sum(line);
  const int64_t more = more_parts - parts;
  const bool is_halo = by > 0 && by % more == 0 && by / more <= kLargestValue;
  return is_halo ? std::optional(int64_t(by / more)) : std::nullopt;
}

// Parts with a halo of any width on both sides, also where there is nobody.
ExpressionPtr FindWithHalo(const LineValues& values, const Line& line,
                           const SearchSpace& space) {
  const auto halo = HaloOf(values);
  if (!halo) return nullptr;
  LineValues inner = values;
  for (auto& [parts, of_line] : inner) {
    for (int64_t& v : of_line) {
      if (v < *halo) return nullptr;
      v -= *halo;
    }
  }
  ExpressionPtr law = FindOn(inner, line, What::kSize, false, space);
  return law == nullptr ? nullptr : AffineExpression(1, std::move(law), *halo);
}

}  // namespace

ExpressionPtr FindParts(Samples samples, const SearchSpace& space) {
  for (const Line& line : LinesOf(space)) {
    const auto values = ValuesOn(samples, line);
    if (!values) continue;
    auto all_around = FindOn(*values, line, What::kSize, false, space);
    // Where a law that is found is compared next, the likelier one will do.
    if (all_around != nullptr && !space.certain) return all_around;
    auto between = FindBetweenNeighbours(*values, line, space);
    if (all_around == nullptr) std::swap(all_around, between);
    if (between != nullptr) return AgreedExpression(all_around, between);
    if (all_around != nullptr) return all_around;
    if (auto law = FindWithHalo(*values, line, space)) return law;
    for (const bool known : {true, false}) {
      if (known && !space.wholes) continue;
      if (auto law = FindOn(*values, line, What::kBegin, known, space)) {
        return law;
      }
    }
  }
  for (const Line& line : LinesWithoutFirst(space)) {
    const auto values = ValuesOn(samples, line);
    if (!values) continue;
    if (auto law = FindWithoutFirst(*values, line, space)) return law;
  }
  return FindBesideIdleFirst(samples, space);
}

ExpressionPtr FindAllButFirst(Samples samples, const SearchSpace& space) {
  // Rank 0 may be the only one that gets them.
  std::vector<Sample> of_first;
  for (const Sample& s : samples) {
    if (s.where.rank == 0) of_first.push_back(s);
  }
  const bool is_first_alone =
      of_first.size() < samples.size() && HasOnlyFirstAny(samples);
  if (is_first_alone) {
    ExpressionPtr law = FindAllButFirst(of_first, space);
    if (law == nullptr) return nullptr;
    return Combine(Op::kMultiply,
                   Combine(Op::kEqual, FeatureExpression(Feature::Kind::kRank),
                           ConstantExpression(0)),
                   std::move(law));
  }
  std::set<int64_t> seen;
  for (const Sample& s : samples) seen.insert(s.value);
  if (space.wholes == nullptr || seen.size() < 2 ||
      !DependOnSizeOnly(samples)) {
    return nullptr;
  }
  ExpressionPtr law;
  size_t fitting = 0;
  for (const Line& line : LinesOf(space)) {
    // Rank 0 has the first part.
    if (line.dim == Line::kWorkers) continue;
    int64_t fewest = line.Length(samples[0].where);
    for (const Sample& s : samples) {
      fewest = std::min(fewest, line.Length(s.where));
    }
    for (const int64_t whole : *space.wholes) {
      if (whole < fewest) continue;
      DivisionLaws laws;
      for (const Division division : kDivisions) {
        ExpressionPtr e = Combine(
            Op::kSubtract, ConstantExpression(whole),
            SizeLaw(division, whole, line.Parts(), ConstantExpression(0)));
        if (Gives(*e, samples)) laws[size_t(division)] = std::move(e);
      }
      auto one = LawOfWaysLeft(laws, {whole}, space);
      if (one == nullptr) continue;
      ++fitting;
      law = law == nullptr ? one : AgreedExpression(law, one);
    }
  }
  // Of two values alone one whole of several gives both.
  constexpr size_t kEnoughValues = 3;
  return fitting == 1 || seen.size() >= kEnoughValues ? law : nullptr;
}

bool MayBeAllButFirst(Samples samples) {
  std::map<int64_t, int64_t> of_first;  // by the number of ranks
  for (const Sample& s : samples) {
    if (s.where.rank == 0) of_first[s.where.ranks()] = s.value;
  }
  const auto falls = [](const auto& fewer, const auto& more) {
    return more.second < fewer.second;
  };
  return HasOnlyFirstAny(samples) && of_first.size() >= 2 &&
         of_first.begin()->second != of_first.rbegin()->second &&
         std::ranges::adjacent_find(of_first, falls) == of_first.end();
}

}  // namespace ranksight::online_model
