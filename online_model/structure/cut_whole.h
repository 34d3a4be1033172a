// The ways in which programs cut what does not divide, as numbers and as laws,
// and the lines along which they do.
// Thread-safety: value types, pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Who gets what is left over: kRest, the last part, kRestFirst, the first.
// Where ends are rounded to the next whole number, as where a box is cut evenly
// and has the points within, halves go up or down.
enum class Division {
  kFirst,
  kLast,
  kSpread,
  kRoundedUp,
  kRest,
  kRestFirst,
  kNearest,
  kNearestBelow
};
inline constexpr std::array kDivisions = {
    Division::kFirst,     Division::kLast,        Division::kSpread,
    Division::kRoundedUp, Division::kRest,        Division::kRestFirst,
    Division::kNearest,   Division::kNearestBelow};
// Ways that count where no other one gives what was seen.
constexpr bool IsRare(Division division) {
  return division >= Division::kNearest;
}
enum class What { kSize, kBegin };

// The size of part x of so many, or where it begins. REQUIRES: parts > 0.
int64_t ValueOf(What what, Division division, int64_t whole, int64_t parts,
                int64_t x);
ExpressionPtr SizeLaw(Division division, int64_t whole,
                      const ExpressionPtr& parts, const ExpressionPtr& x);
ExpressionPtr BeginLaw(Division division, int64_t whole,
                       const ExpressionPtr& parts, const ExpressionPtr& x);

// Of what law says how large the parts of a number along a side are: how it is
// cut; nothing for other laws.
std::optional<Division> DivisionOf(const Expression& law, int ndims);

// Which part of so many place k of a whole is in.
ExpressionPtr OwnerLaw(Division division, const ExpressionPtr& whole,
                       const ExpressionPtr& parts, const ExpressionPtr& place);

// A side of the grid, the places of a list, or all ranks but rank 0, which
// deals out to the others. unseen: so many parts before these, 0 or 1: the one
// that who deals out keeps.
struct Line {
  static constexpr int kWorkers = kPlaceDimension - 1;

  int dim = 0;
  int ndims = 1;
  int unseen = 0;

  int64_t Length(const Context& c) const {
    return unseen + (dim == kWorkers ? c.ranks() - 1 : c.Length(dim));
  }
  int64_t Place(const Context& c) const {
    return unseen + (dim == kWorkers ? c.rank - 1 : c.Place(dim));
  }

  // Who deals out to others may keep what is left over; no program gives it to
  // the first of a mesh's rows, and the laws of the two ways are alike where it
  // is one at most.
  bool IsCut(Division division) const {
    return division != Division::kRestFirst || dim < 0 || ndims == 1;
  }

  ExpressionPtr Parts() const { return Of(true); }
  ExpressionPtr PlaceLaw() const { return Of(false); }

 private:
  ExpressionPtr Of(bool length) const {
    using Kind = Feature::Kind;
    if (dim == kWorkers) {
      const Kind all = length ? Kind::kRanks : Kind::kRank;
      return AffineExpression(1, FeatureExpression({all, 0, nullptr}),
                              unseen - 1);
    }
    if (dim == kPlaceDimension) {
      const Kind place = length ? Kind::kLength : Kind::kPosition;
      return AffineExpression(1, FeatureExpression({place, 0, nullptr}),
                              unseen);
    }
    if (ndims == 1) {
      return FeatureExpression(
          {length ? Kind::kRanks : Kind::kRank, 0, nullptr});
    }
    return FeatureExpression(
        {length ? Kind::kDim : Kind::kCoord, dim, nullptr});
  }
};

// The list, the sides of the grid, and on a line of ranks those but rank 0.
std::vector<Line> LinesOf(const SearchSpace& space);
// The list and those ranks, where the first part is not seen.
std::vector<Line> LinesWithoutFirst(const SearchSpace& space);

// What is seen at each place of lines of so many; kNotWhole at those that are
// unseen.
using LineValues = std::map<int64_t, std::vector<int64_t>>;

// Nothing where a place has two values, or one was never seen; or where no
// parts of a line ever differ.
std::optional<LineValues> ValuesOn(std::span<const Sample> samples,
                                   const Line& line);

// What law_of gives for the ways to cut that it gives anything for: with a
// value where all agree, or the likeliest alone where what it predicts is
// compared next. nullptr where it gives nothing.
template <class F>
ExpressionPtr LawOfDivisions(const SearchSpace& space, F&& law_of) {
  for (const bool rare : {false, true}) {
    ExpressionPtr law;
    for (const Division division : kDivisions) {
      if (IsRare(division) != rare) continue;
      ExpressionPtr e = law_of(division);
      if (e == nullptr) continue;
      law = law == nullptr ? e : AgreedExpression(law, e);
      if (!space.certain) break;
    }
    if (law != nullptr) return law;
  }
  return nullptr;
}

// Ways to cut as bits, by their place in kDivisions.
using Divisions = unsigned;
inline constexpr Divisions kAllDivisions = (1u << kDivisions.size()) - 1;
constexpr Divisions BitOf(Division division) { return 1u << int(division); }
inline constexpr Divisions kCommonDivisions = BitOf(Division::kNearest) - 1;

// The ways in which each whole may have been cut by all that was seen of it: a
// program cuts its mesh in one way, also along the side on which two give the
// same.
class CutsSeen {
 public:
  // Of the ways that give a law of the whole, those that its other laws leave;
  // all where they leave none.
  Divisions Narrow(int64_t whole, Divisions ways);
  // Of the sides of a mesh, which are all cut in one way.
  void AddSide(int64_t whole);
  // Whether a law was left with more ways than the whole has since.
  bool HasNarrowed() const;
  // Whether laws were found of a whole as programs cut it, which is cut in a
  // rare way alone, as others showed since.
  bool HasNarrowedToRare() const;

 private:
  Divisions LeftOf(int64_t whole) const;

  std::set<int64_t> sides_;
  Divisions of_sides_ = kAllDivisions;
  std::map<int64_t, Divisions> left_, given_;
};

// By place in kDivisions, the law where parts are cut so; nullptr where it does
// not give what was seen.
using DivisionLaws = std::array<ExpressionPtr, kDivisions.size()>;

// What the ways give that the other laws of all these wholes leave, see
// LawOfDivisions. nullptr where no way has a law.
ExpressionPtr LawOfWaysLeft(const DivisionLaws& laws,
                            const std::set<int64_t>& wholes,
                            const SearchSpace& space);

struct PartOfWhole {
  What what = What::kSize;
  int64_t scale = 1, add = 0, whole = 0;

  bool Gives(Division division, const LineValues& values) const;
  ExpressionPtr LawOf(Division division, const Line& line) const;
  // Of the ways to cut that give the values, see LawOfDivisions.
  ExpressionPtr Law(const LineValues& values, const Line& line,
                    const SearchSpace& space) const;
};

}  // namespace ranksight::online_model
