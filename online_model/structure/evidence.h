// Whether samples say enough for a law. Every law that is looked for gives
// some samples by chance: few small numbers, one for each run, are given by
// many. The principle is that of the minimum description length (Rissanen
// 1978): a law is one where it is shorter to say than what it gives.
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/find_opposite.h"
#include "online_model/structure/find_rest.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// A whole that laws share out, and among how many.
struct SharedWhole {
  int64_t low = 0, high = 0;  // it is one of these
  ExpressionPtr parts;
};

// What laws are made of, by their text: said once, it costs next to nothing to
// say again. Laws that are sure, where the search asks for such.
class SaidParts {
 public:
  void Add(const ScalarLaw& law);
  // A number that the program itself says, as the sizes of an array of which a
  // datatype is a part.
  void AddNumber(int64_t number);
  std::span<const int64_t> numbers() const { return numbers_; }
  // A side of the grid cuts one of them alone: a mesh's side is cut along it.
  void NoteCutAlong(int side, int64_t number) {
    number_of_side_.try_emplace(side, number);
  }
  bool MayBeCutAlong(int side, int64_t number) const {
    const auto known = number_of_side_.find(side);
    return known == number_of_side_.end() || known->second == number;
  }
  bool Has(const Expression& e) const;
  // Whether some law is made of that feature, of any side, or that operation.
  bool HasUsed(const std::pair<Feature::Kind, int>& feature) const {
    return used_features_.count(feature.first) > 0;
  }
  bool HasUsed(Expression::Op op) const { return used_ops_.count(op) > 0; }
  const std::set<std::string>& texts() const { return texts_; }
  // What may stand in further laws, the shortest parts first: none of places of
  // laws of which it is not told which of several they are, as ways to cut a
  // mesh are.
  std::span<const ExpressionPtr> parts() const { return parts_; }
  // Those laws: with a value where all that it may be say the same.
  std::span<const ExpressionPtr> agreed() const { return agreed_; }

  // How far away peers are in the iterations of loops.
  void NoteDistanceOf(const ScalarLaw& peer);
  std::span<const Distance> distances() const { return distances_; }

  // Some samples said too little for their law: more may be said later.
  void NoteTooLittle() { too_little_ = true; }
  bool has_too_little() const { return too_little_; }
  // Whether any did since this was asked last.
  bool TakeTooLittle() { return std::exchange(too_little_, false); }

  // What depends on the size alone and says too little for any law.
  struct Doubted {
    std::vector<Sample> samples;  // one of each size
    std::vector<Rest> rests;      // what they may be
  };
  void AddDoubted(Doubted doubted);
  std::span<const Doubted> doubted() const { return doubted_; }
  // Wholes that laws share out.
  std::span<const SharedWhole> shared() const { return shared_; }
  // Of which they say what is left.
  std::span<const SharedWhole> left() const { return left_; }
  // The share of a whole of which a law says what is left, where that gives the
  // samples; else nullptr.
  ExpressionPtr ShareOfWholeLeft(std::span<const Sample> samples) const;

 private:
  // More are of a program whose laws say little of one another.
  static constexpr size_t kMostParts = 64;

  void Add(const ExpressionPtr& e, bool is_one_of_several);

  std::set<std::string> texts_, part_texts_;
  std::set<Feature::Kind> used_features_;
  std::set<Expression::Op> used_ops_;
  std::vector<ExpressionPtr> parts_, agreed_;
  std::vector<int64_t> numbers_;
  std::map<int, int64_t> number_of_side_;
  std::vector<SharedWhole> shared_;
  std::vector<SharedWhole> left_;  // wholes of which something is left
  std::vector<Doubted> doubted_;
  std::vector<Distance> distances_;
  std::set<std::string> distance_texts_;
  bool too_little_ = false;
};

// Whether the samples say enough for the law, which gives them. What all
// samples of a run have in common counts once. said: by other laws; may be
// nullptr.
// Complexity: O(samples), less where the first ones say enough.
bool SaysEnough(std::span<const Sample> samples, const ScalarLaw& law,
                const SaidParts* said = nullptr);

// Laws this short are taken without looking further: a feature and a small
// constant or two. Larger is faster and takes more accidents for laws.
inline constexpr double kShortLaw = 8;

// Whether a long condition, or a long law with cases, says of all runs but one
// what a short law says of them: by that run alone one of many was chosen.
bool IsOneRunsAlone(const ScalarLaw& law, std::span<const Sample> samples,
                    const SearchSpace& space);

// Whether the law says of some whole what is left of it, shared out.
bool SaysWhatIsLeft(const Expression& law);

// Shares of a whole say little of which whole it is, what is left of it says so
// again, in other words: where neither has samples that say enough, those of
// both may say enough for both. Then both laws are said, and true is returned.
// Else the samples may be the second of such two later on. What they say is
// what all ranks have, or rank 0 alone.
bool TellTogether(std::span<const Sample> samples, int ndims, SaidParts* said);

// Bits that the values take to say. What all samples of a run have in common
// counts once.
double BitsOf(std::span<const Sample> samples);

// The first of each run.
std::vector<Sample> OneOfEachSize(std::span<const Sample> samples);

// Whether all samples of a run have one value.
bool DependOnSizeOnly(std::span<const Sample> samples);

}  // namespace ranksight::online_model
