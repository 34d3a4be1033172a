// The shapes that each family of models tries.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

struct Candidate {
  Shape shape;
  double prior = 1;  // odds before any measurement, in any unit
};

std::span<const Candidate> CandidatesOf(ModelFamily family);

// Basis values of every candidate at every rank count, computed once for all
// series measured there.
class BasisTable {
 public:
  BasisTable(ModelFamily family, std::span<const double> ranks);
  std::span<const double> Of(size_t candidate) const {
    return {values_.data() + candidate * width_, width_};
  }

 private:
  size_t width_;
  std::vector<double> values_;
};

}  // namespace ranksight::online_model
