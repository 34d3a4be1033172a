// Laws that are like others: what goes across one side of a grid follows the
// same law as what goes across another, with the sides changed about.
//
// A direction in which few runs have neighbours shows too few numbers for a law
// of its own. Of the laws that the program's other calls follow there are few,
// so that two numbers can tell which it is.
// Thread-safety: value types, pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// So many times a block of a whole, and so much more, as a halo around it.
struct BlockForm {
  int64_t factor = 1, add = 0;
  Division division = Division::kFirst;
  auto operator<=>(const BlockForm&) const = default;
};

// Laws by what they say: each once.
class SiblingLaws {
 public:
  // Leaves out what no side of the grid is in, and what has no sides changed
  // about (BitOrder, a user's own).
  void Add(const ScalarLaw& law, int ndims);
  bool empty() const { return laws_.empty(); }

  // A constant times one of them with the sides in another order, or, where one
  // is of the form of a block, that of a block of another whole; nullptr where
  // none gives the samples, or these say less than which law it is.
  ExpressionPtr Find(std::span<const Sample> samples) const;

 private:
  std::vector<ExpressionPtr> laws_;
  int ndims_ = 0;
  std::set<BlockForm> block_forms_;
};

}  // namespace ranksight::online_model
