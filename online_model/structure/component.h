// Components: the parts of a program's ranks that do different work, each
// numbered anew, as the models of a coupled one, those that write files for the
// others, or all but the one that hands out tasks.
//
// They are stretches of the ranks that begin where a law of the number of ranks
// says, or every n-th rank and the others. What a component does among its own
// ranks follows the laws of a line of these.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// How the ranks of a run were divided, by rank.
struct DividedRanks {
  struct Place {
    int64_t component = -1;  // any number; -1: of none
    int64_t rank = 0;        // within it
    int64_t size = 0;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> places;
};

// Each a law of the rank and the number of ranks.
struct Components {
  ExpressionPtr rank;  // within the own component
  ExpressionPtr size;  // of that; 0 for a rank of none
  // The rank of the world that is the given one of the own component.
  std::function<ExpressionPtr(ExpressionPtr rank)> in_world;
  // 1 on the ranks of some components, 0 on the others: one less than there are
  // components, or one.
  std::vector<ExpressionPtr> conditions;
  // Which one the own is, and how many there are; nothing where they are not
  // all alike, as so many ranks in a row are.
  ExpressionPtr number = nullptr, count = nullptr;
};

// The laws by which all runs are divided; nothing where none of the kinds above
// gives all of them. certain: where several laws give all runs, there is a
// value only where they agree; else the simplest counts.
// Time: ranks of all runs, some hundred times.
std::optional<Components> FindComponents(std::span<const DividedRanks> runs,
                                         bool certain);
// All ranks but the first, and but the last one.
Components AllButFirst();
Components AllButLast();

// The law that says of the component's ranks what `on_line` says of a line of
// all ranks; in_world: whose values are ranks of the component, in numbers of
// the world. Nothing where it is made of what components do not have.
std::optional<ScalarLaw> OnComponents(const ScalarLaw& on_line,
                                      const Components& of, bool in_world);

}  // namespace ranksight::online_model
