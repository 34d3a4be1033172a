// SequenceLaw: the pattern of a parameter on every rank of every size.
//
// Forms: positional (a law for each place of a list of fixed length), by
// slot (a list of neighbours, those that do not exist dropped, a law for
// each), by slot in each iteration of a loop around, by element (a length law,
// and a law over the place in the list), by iteration of a loop around,
// wherever that runs the node (rounds.h), by place in an array whose length may
// change from call to call, or in a loop whose visits differ in length, by
// place in a row of a list of rows that are longer, or shorter, by one each, by
// run of values that are each repeated some times, by place in each of a few
// parts of one length, positional but put in ascending order, by slot where
// each iteration of a loop around is that of one neighbour.
// Thread-safety: value types, pure functions.
#pragma once

#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "online_model/structure/pattern.h"
#include "online_model/structure/rounds.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

struct RankPattern {
  Context where;
  Pattern pattern;
  Rounds rounds;
  // Arrays: the lengths that calls give in turn.
  std::vector<int64_t> lengths;
};

struct SequenceLaw {
  enum class Form {
    kPositional,
    kBySlot,
    kByElement,
    kByIteration,
    kByPlace,
    kByRows,
    kByRuns,
    kByVisit,
    kBySlotInLoop,
    kByParts,
    kAscending,
    kByLoopSlot
  };
  Form form = Form::kPositional;
  std::vector<ScalarLaw> prefix;
  // By place or slot, of kAscending before they are put in order; one for
  // kByElement and kByRows; for kByPlace one for each array in turn, for
  // kByVisit for each visit, for kByParts for each part; for kByRuns of a run's
  // value and how often it comes; for kByIteration one for each run within an
  // iteration, the last for all further ones; for kBySlotInLoop by slot, or by
  // slot in each of as many iterations as all sizes have.
  std::vector<ScalarLaw> values;
  // kBySlot, kBySlotInLoop, kByLoopSlot.
  std::shared_ptr<const Neighbours> list;
  bool peers = false;    // kBySlot, kByLoopSlot: the neighbours' ranks
  ScalarLaw length;      // kByElement, kByParts; kByRows, kByRuns: how many
  bool falling = false;  // kByRows: the longest row first
  // What the law was found on: it gives all values of so many ranks.
  struct Support {
    uint64_t ranks = 0, runs = 0;
  };
  Support support;
  // Of forms that follow a loop: which of those around, outermost first.
  int loop = 0;
  // kByIteration: so many iterations are one, as where a program's two loops,
  // levels and the sides at each, were found to be one loop.
  static constexpr int kMostStep = kMaxDims;
  int step = 1;

  // rounds, lengths: of the node on this rank, as in RankPattern.
  Pattern At(const Context& c, const Rounds& rounds,
             const std::vector<int64_t>& lengths = {}) const;
  std::string ToString() const;
  // kBySlotInLoop: which of the values, in iteration k.
  size_t InLoop(int64_t k, size_t slot) const {
    const size_t slots = list->slots.size();
    return values.size() == slots ? slot : size_t(k) * slots + slot;
  }
  // kBySlotInLoop: whether there are values for so many iterations.
  bool HasValuesFor(int64_t iterations) const {
    return values.size() == list->slots.size() ||
           uint64_t(iterations) * list->slots.size() <= values.size();
  }
  bool FollowsLoop() const {
    return form == Form::kByIteration || form == Form::kByVisit ||
           form == Form::kBySlotInLoop || form == Form::kByLoopSlot;
  }
  // One number, the same on all ranks at all sizes.
  bool IsOneNumber() const {
    return form == Form::kPositional && prefix.empty() && values.size() == 1 &&
           values[0].IsOneNumber();
  }
  bool HasList() const {
    return form == Form::kBySlot || form == Form::kBySlotInLoop ||
           form == Form::kByLoopSlot;
  }
  bool HasLength() const {
    return form == Form::kByElement || form == Form::kByRows ||
           form == Form::kByRuns || form == Form::kByParts;
  }
  std::string SupportText() const;                 // "[70 ranks of 5 runs]"
  double cost() const;                             // see ScalarLaw::cost
  bool UsesBits() const;                           // see Expression::UsesBits
  bool Uses(Feature::Kind kind, int index) const;  // see ScalarLaw::Uses
};

SequenceLaw::Support SupportOf(std::span<const RankPattern> patterns);

// How many iterations the visits of a loop have in turn; {0} where it is of no
// use.
std::vector<int64_t> VisitsOf(const Round& round);

// More rows are no list of a program.
inline constexpr int64_t kMostRows = 1 << 16;
// Arrays until so many laws and so many lengths in turn both begin again.
inline size_t RowCount(size_t laws, size_t lengths) {
  return lengths == 0 ? 0 : std::lcm(laws, lengths);
}
// How long the rows of a list of so many are (kByRows); none of too many.
std::vector<int64_t> RowsOf(int64_t count, bool falling);
// So many parts of that length each (kByParts); none of too long ones.
std::vector<int64_t> PartsOf(size_t parts, int64_t length);

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

// The law that the values are the product of the sides that are kept, or
// nothing: how many ranks a part of a Cartesian grid has. kept: 0 or 1 for each
// side, in the grid's order.
std::optional<SequenceLaw> FindSidesKept(std::span<const RankPattern> patterns,
                                         const SequenceLaw& kept, int ndims);

// Neighbour lists that give every pattern of peers: one, or where a list skips
// ranks all ways of skipping, for a pattern does not show how often it repeats.
std::vector<std::shared_ptr<const Neighbours>> FindNeighbours(
    std::span<const RankPattern> patterns, int ndims);

}  // namespace ranksight::online_model
