// SequenceLaw: the pattern of a parameter on every rank of every size.
//
// Forms: positional (a law for each place of a list of fixed length), by
// slot (a list of neighbours, those that do not exist dropped, a law for
// each), by element (a length law, and a law over the place in the list).
// Thread-safety: value types, pure functions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "online_model/structure/pattern.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

struct RankPattern {
  Context where;
  Pattern pattern;
};

struct SequenceLaw {
  enum class Form { kPositional, kBySlot, kByElement };
  Form form = Form::kPositional;
  std::vector<ScalarLaw> prefix;
  std::vector<ScalarLaw> values;  // by place or slot; one for kByElement
  std::shared_ptr<const Neighbours> list;  // kBySlot
  bool peers = false;                      // kBySlot: the neighbours' ranks
  ScalarLaw length;                        // kByElement
  bool around = false;  // kByElement: the length is that of a loop around

  Pattern At(const Context& c) const;
  std::string ToString() const;
  double cost() const;    // see ScalarLaw::cost
  bool UsesBits() const;  // see Expression::UsesBits
};

// The law that gives every pattern, or nothing. own: the neighbour list of
// the same event's peers, if known.
std::optional<SequenceLaw> FindSequenceLaw(
    std::span<const RankPattern> patterns, const SearchSpace& space,
    std::shared_ptr<const Neighbours> own);

// The law that the values are the sides of the grid, in its order, or
// nothing. Tried before others where a program states its grid: a side that
// happens to be the same at all inputs is no constant.
std::optional<SequenceLaw> FindSides(std::span<const RankPattern> patterns,
                                     int ndims);

// A neighbour list that gives every pattern of peers, or nothing.
std::shared_ptr<const Neighbours> FindNeighbours(
    std::span<const RankPattern> patterns, int ndims);

}  // namespace ranksight::online_model
