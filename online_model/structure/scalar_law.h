// ScalarLaw: an exact function of a context, and the search for one.
//
// Families, simplest first: a constant; a x feature + b; the neighbour at a
// displacement; r XOR c; one constant under a condition and a law elsewhere;
// a x feature + b x feature + c; a balanced block of a whole; in lists over the
// ranks a law of each of them; any expression of the pool (expression_pool.h).
// A law is found only when it gives every sample, and there are more different
// contexts than it has free numbers. Thread-safety: value types, pure
// functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/feature.h"
#include "online_model/structure/levels.h"

namespace ranksight::online_model {

struct ScalarLaw {
  enum class Kind {
    kAffine,     // constant + sum of coefficient x feature
    kNeighbour,  // world rank at `by`, `missing` where there is none
    kXor,        // r ^ constant
    kGuarded,    // `constant` where condition == 1, else *otherwise
    kBlock,      // blocks of `constant` over d<i>, at x<i>, times scale, + add;
                 // over a list, at the place in it, for kPlaceDimension
    kExpression,  // the value of `expression`
    // *otherwise at the rank that the place stands for, in an array; where
    // constant > 1 at that of so many of its places (Context::There)
    kThere,
  };
  Kind kind = Kind::kAffine;
  int64_t constant = 0;
  std::vector<std::pair<int64_t, Feature>> terms;  // kAffine
  Displacement by{};                               // kNeighbour
  unsigned periodic = 0;
  int ndims = 1;         // of the grid that `by` moves on
  bool on_line = false;  // displacement along all ranks, not on the grid
  Feature condition;     // kGuarded
  std::shared_ptr<const ScalarLaw> otherwise;  // kGuarded, kThere
  // kThere: the places of each rank.
  int64_t each() const { return constant > 1 ? constant : 1; }
  int dim = 0;  // kBlock
  int64_t scale = 1, add = 0;
  ExpressionPtr expression;  // kExpression

  // kNotWhole where the law has no whole value.
  int64_t At(const Context& c) const;
  std::string ToString() const;
  // Length of the description, about in bits: the shorter law is chosen.
  double cost() const;
  bool UsesBits() const;  // see Expression::UsesBits
  // The same on all ranks at all sizes: `constant`.
  bool IsOneNumber() const { return kind == Kind::kAffine && terms.empty(); }
  // Whether it is made of that feature.
  bool Uses(Feature::Kind kind, int index) const;
};

ScalarLaw OfExpression(ExpressionPtr e);

// The law as an expression; nullptr where it has no such form, as a neighbour's
// rank.
ExpressionPtr ExpressionOf(const ScalarLaw& law);

// Laws found (or not) for the same samples before: programs post receives as
// they post sends. REQUIRES: all uses have the same lists and hints.
class PoolCache;  // expression_pool.h
using LawCache = std::unordered_map<uint64_t, std::optional<ScalarLaw>>;

class CutsSeen;   // cut_whole.h
class SaidParts;  // evidence.h
class LineForms;  // line_forms.h

struct SearchSpace {
  int ndims = 1;
  bool array = false;   // contexts have position and length
  bool ranked = false;  // values are ranks
  bool counts = false;  // values say how often something happens
  bool rests = true;    // values may be what is left of a whole (find_rest.h)
  // Values are what receives have room for, and whether it is the same for
  // messages along several sides of the grid (find_room.h).
  bool room = false, room_for_all = false;
  std::vector<std::shared_ptr<const Neighbours>> lists;  // for kDegree
  // Neighbours that events in a row reach together: requests are numbered by
  // how many of those there are before and behind.
  std::vector<std::shared_ptr<const Neighbours>> posted;
  // Whether a law of shares needs that no other one that gives the samples says
  // otherwise. Where what it predicts is compared next the likely one will do.
  bool certain = false;
  OwnLaws own;  // the user's
  // The levels that the iterations of the loop around are known to be: laws
  // are looked for among those of levels, first or only.
  std::optional<Levels> levels;
  // Amounts and ranks of a program whose loops run through levels: outside of
  // those they may be points of one level, and the next rank on it.
  bool points = false;
  // For both: the side that the event's messages go along, and
  // where ranks of it may have no part in the level along another, from which
  // rank on those are counted that have (level_conditions.h).
  std::optional<int> along;
  std::optional<int64_t> parts_from;
  // Further leaves of expressions. Those that ask for a place count in lists
  // and loops alone: TakesHint.
  std::vector<ExpressionPtr> hints;
  // The rank that the event's messages go to: laws are looked for among those
  // that say what it has. Or nullptr.
  ExpressionPtr partner;
  // How long the lists of the same event's other parameters are: where places
  // of a list repeat each other, its own values do not tell.
  std::vector<ScalarLaw> lengths;
  std::shared_ptr<LawCache> cache;   // may be empty
  std::shared_ptr<PoolCache> pools;  // may be empty
  // Wholes that laws found so far share out; the next ones likely do, too. And
  // the ways in which they do.
  std::shared_ptr<std::set<int64_t>> wholes;  // may be empty
  std::shared_ptr<CutsSeen> cuts;             // may be empty
  std::shared_ptr<SaidParts> said;            // may be empty
  // What the same line has elsewhere.
  std::shared_ptr<LineForms> forms;  // may be empty
};

// Whether the hint says something of the values that are looked at.
inline bool TakesHint(const SearchSpace& space, const Expression& hint) {
  return space.array || !UsesPlace(hint);
}

std::optional<ScalarLaw> FindScalarLaw(std::span<const Sample> samples,
                                       const SearchSpace& space);

}  // namespace ranksight::online_model
