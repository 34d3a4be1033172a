// A tree without trips and parameters: what runs, nested how, and on whom.
//
// Merged as trees of ranks are (merge_trees.h), in place of which there are
// forms: ranks that run the same, numbered.
// Thread-safety: value types; pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduction/api/short_list.h"
#include "reduction/api/trace.h"
#include "reduction/merge/align_lists.h"

namespace ranksight::reduction {

// A set of forms, as large as the greatest of them needs.
class FormSet {
 public:
  bool Has(size_t form) const {
    return form / 64 < words_.size() && (words_[form / 64] >> form % 64 & 1);
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(),
                       [](uint64_t w) { return w == 0; });
  }
  void Add(size_t form) {
    GrowTo(form / 64 + 1);
    words_[form / 64] |= uint64_t{1} << form % 64;
  }
  void AddAll(const FormSet& other) {
    GrowTo(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
  }
  FormSet And(const FormSet& other) const {
    return With(other, [](uint64_t a, uint64_t b) { return a & b; });
  }
  FormSet Without(const FormSet& other) const {
    return With(other, [](uint64_t a, uint64_t b) { return a & ~b; });
  }
  // 64 forms each.
  const ShortList<uint64_t, 1>& words() const { return words_; }

 private:
  void GrowTo(size_t words) {
    while (words_.size() < words) words_.push_back(0);
  }
  template <class F>
  FormSet With(const FormSet& other, F&& f) const {
    FormSet made;
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t theirs = i < other.words_.size() ? other.words_[i] : 0;
      made.words_.push_back(f(words_[i], theirs));
    }
    return made;
  }

  ShortList<uint64_t, 1> words_;
};

// Whether a loop is a loop to a rank.
inline bool RunsTwice(const Section& trips) { return trips.Max() > 1; }

struct Skeleton {
  Node::Kind kind = Node::Kind::kLoop;
  Call call = Call::MPI_Init_;
  uint32_t site = 0;
  FormSet on;     // forms that run it
  FormSet twice;  // those that run it more than once in some visit
  std::vector<Skeleton> children;

  bool is_event() const { return kind == Node::Kind::kEvent; }
};

// Unites b into a, no form being in both.
void MergeTrees(Skeleton* a, Skeleton&& b);

// As WrapChildren for trees of ranks.
void WrapChildren(const Wrap& wrap, std::vector<Skeleton>* children);

}  // namespace ranksight::reduction
