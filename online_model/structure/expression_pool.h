// ExpressionPool: all expressions over the features of a search space up to
// a size, told apart by their values on some samples (bottom-up enumeration
// with observational equivalence: Albarghouthi, Gulwani, Kincaid 2013).
//
// An expression is looked up up to an affine map: the free factor and summand
// of a law need no enumeration. Thread-safety: one pool, one thread.
// Complexity: quadratic in the number of leaves, times the samples.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

using Values = std::vector<int64_t>;

class ExpressionPool {
 public:
  // Which expressions of two leaves: all, or those of AddPairsFor.
  enum class Pairs { kAll, kOnRequest };
  ExpressionPool(const std::vector<Context>& probes, const SearchSpace& space,
                 Pairs pairs = Pairs::kAll);
  // Those that give the target up to an affine map: Affine then finds what it
  // would among all. Many times quicker than all, as most differ from the
  // target within the first few probes.
  void AddPairsFor(const Values& target);

  struct Operation;
  struct Match {
    double cost;
    int id;
    int64_t factor, add;  // target = factor * entry + add
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
  // is_others: it is all ranks but one.
  void AddLeaf(const std::vector<Context>& probes, ExpressionPtr e, double cost,
               bool is_others = false);
  // What a leaf is, of what matters to IsSaid.
  struct Leaf {
    ExpressionPtr e;
    bool is_condition = false, is_constant = false, is_logarithm = false;
    bool is_place = false, is_others = false;  // k, N - 1
  };
  // REQUIRES: leaves.
  bool IsSaid(Expression::Op op, size_t a, size_t b) const;
  // Where allowed(a, b, operation) holds of entries a and b.
  template <class F>
  void AddPairs(F&& allowed);
  void Add(const Entry& entry, const Values& values);
  // f(id) for the entries with these values, oldest first; the slot where they
  // end.
  template <class F>
  size_t ForEachWith(const Values& values, uint64_t hash, F&& f) const;
  // A table of `count` slots, a power of two, with all entries.
  void MakeSlots(size_t count);

  size_t n_;
  size_t leaves_ = 0;
  std::vector<Leaf> leaf_;
  std::vector<Entry> entries_;
  std::vector<int64_t> values_;
  std::vector<uint64_t> hashes_;  // of the values of each entry
  // Entries by their hash, each at the first free slot from there; -1: free.
  std::vector<int> slots_;
};

// The newest pools of all pairs: what an event's parameters are at the same
// ranks is looked up in the same pool. And which searches found nothing, as
// these take longest, and are made again once other laws say more.
// Thread-safety: one search, one thread.
class PoolCache {
 public:
  std::shared_ptr<const ExpressionPool> For(const std::vector<Context>& probes,
                                            const SearchSpace& space);
  // search: a hash of all that it was made of.
  bool IsInVain(uint64_t search) const { return in_vain_.contains(search); }
  void NoteInVain(uint64_t search) { in_vain_.insert(search); }

 private:
  // All that a pool is made of.
  struct Key {
    std::vector<std::array<int64_t, 3>> probes;
    std::vector<const Grid*> grids;
    int ndims;
    bool array, counts;
    std::vector<std::shared_ptr<const Neighbours>> lists;
    std::vector<ExpressionPtr> hints;
    OwnLaws own;
    bool operator==(const Key&) const = default;
  };
  // Some MB each; what comes next is nearly always the last or the one before.
  static constexpr size_t kMost = 4;

  static Key KeyOf(const std::vector<Context>& probes,
                   const SearchSpace& space);

  // The latest last.
  std::vector<std::pair<Key, std::shared_ptr<const ExpressionPool>>> pools_;
  std::unordered_set<uint64_t> in_vain_;
};

}  // namespace ranksight::online_model
