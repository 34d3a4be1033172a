// ExpressionPool: all expressions over the features of a search space up to
// a size, told apart by their values on some samples (bottom-up enumeration
// with observational equivalence: Albarghouthi, Gulwani, Kincaid 2013).
//
// An expression is looked up up to an affine map: the free factor and summand
// of a law need no enumeration. Thread-safety: one pool, one thread.
// Complexity: quadratic in the number of leaves, times the samples.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

using Values = std::vector<int64_t>;

class ExpressionPool {
 public:
  // REQUIRES: the probes, and the space's samples, outlive the pool.
  ExpressionPool(const std::vector<Context>& probes, const SearchSpace& space);

  struct Match {
    double cost;
    int id;
    int64_t numerator, denominator, add;  // target = num / den * entry + add
  };
  // Entries that give the target up to an affine map, cheapest first.
  std::vector<Match> Affine(const Values& target) const;
  // Entries that equal the target.
  std::vector<Match> Equal(const Values& target) const;

  size_t size() const { return entries_.size(); }
  size_t leaves() const { return leaves_; }
  const int64_t* values(size_t id) const { return &values_[id * n_]; }
  double cost(size_t id) const { return entries_[id].cost; }
  ExpressionPtr Build(size_t id) const;

 private:
  struct Entry {
    Expression::Op op;
    int a, b;  // entries; for leaves a is the index in leaf_
    double cost;
  };
  void AddLeaf(ExpressionPtr e, double cost);
  void AddPairs();
  void Add(const Entry& entry, const Values& values);

  const std::vector<Context>& probes_;
  std::span<const Sample> steady_;  // see SearchSpace
  size_t n_;
  size_t leaves_ = 0;
  std::vector<ExpressionPtr> leaf_;
  std::vector<Entry> entries_;
  std::vector<int64_t> values_;
  std::unordered_map<uint64_t, std::vector<int>> by_values_, by_direction_;
};

}  // namespace ranksight::online_model
