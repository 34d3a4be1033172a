// Whether samples say enough for a law. Every law that is looked for gives
// some samples by chance: few small numbers, one for each run, are given by
// many. The principle is that of the minimum description length (Rissanen
// 1978): a law is one where it is shorter to say than what it gives.
//
// Thread-safety: pure functions.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// What laws are made of, by their text: said once, it costs next to nothing to
// say again. Laws that are sure, where the search asks for such.
class SaidParts {
 public:
  void Add(const ScalarLaw& law);
  bool Has(const Expression& e) const;
  const std::set<std::string>& texts() const { return texts_; }
  // What may stand in further laws, the shortest parts first.
  std::span<const ExpressionPtr> parts() const { return parts_; }

  // Some samples said too little for their law: more may be said later.
  void NoteTooLittle() { too_little_ = true; }
  // Whether any did since this was asked last.
  bool TakeTooLittle() { return std::exchange(too_little_, false); }

 private:
  // More are of a program whose laws say little of one another.
  static constexpr size_t kMostParts = 64;

  void Add(const ExpressionPtr& e);

  std::set<std::string> texts_;
  std::vector<ExpressionPtr> parts_;
  bool too_little_ = false;
};

// Whether the samples say enough for the law, which gives them. What all
// samples of a run have in common counts once. said: by other laws; may be
// nullptr.
// Complexity: O(samples), less where the first ones say enough.
bool SaysEnough(std::span<const Sample> samples, const ScalarLaw& law,
                const SaidParts* said = nullptr);

// Bits that the values take to say. What all samples of a run have in common
// counts once.
double BitsOf(std::span<const Sample> samples);

// Whether all samples of a run have one value.
bool DependOnSizeOnly(std::span<const Sample> samples);

}  // namespace ranksight::online_model
