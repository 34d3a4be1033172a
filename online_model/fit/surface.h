// The fit of one series over rank counts N and one parameter p of the runs:
// constants, products of a term in N and one in p with or without an offset,
// and sums of two such terms (the performance model normal form in two
// variables, Calotoiu et al., CLUSTER 2016). Each has to predict every
// measured (N, p) from the others; they are weighed by how they do, as in
// SeriesFit, and the interval is made of the same doubts.
//
// Coefficients are never negative, but for a - b f(N) that stays above 0.
// Thread-safety: value types. Complexity: O(hypotheses x points); some
// hundred hypotheses.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "online_model/fit/series_fit.h"

namespace ranksight::online_model {

// coefficient * f(N) * g(p); both may be constant.
struct SurfaceTerm {
  Shape ranks, parameter;
  double coefficient = 0;
  double BasisAt(double n, double p) const {
    return Basis(ranks, n) * Basis(parameter, p);
  }
};

struct Surface {
  std::vector<SurfaceTerm> terms;      // 1 to 3
  std::array<double, 9> covariance{};  // of coefficients, row by row of 3
  double At(double n, double p) const;
  double VarianceAt(double n, double p) const;
  // "1.2e-3 + 4.5e-9 size^2 / N"
  std::string ToString(const std::string& parameter) const;
};

struct SurfaceFit {
  std::vector<std::pair<Surface, double>> surfaces;  // most believed first
  double held_out_error = 0;                         // of that one
  double noise = 0, inflation = 1, freedom = 1;      // as in SeriesFit
  double max_ranks = 1, min_parameter = 1, max_parameter = 1;

  Estimate At(double n, double p) const;
};

// REQUIRES: points is not empty, parameters > 0.
SurfaceFit FitSurface(std::span<const Point> points);

}  // namespace ranksight::online_model
