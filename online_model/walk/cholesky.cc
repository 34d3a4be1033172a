#include "online_model/walk/cholesky.h"

#include <cmath>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::online_model {

Matrix Cholesky(const Matrix& m, size_t n) {
  RANKSIGHT_REQUIRE(m.size() == n * n);
  Matrix l(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      if (i == j && sum <= 0) return {};
      l[i * n + j] = i == j ? std::sqrt(sum) : sum / l[j * n + j];
    }
  }
  return l;
}

std::vector<double> Solve(const Matrix& l, std::vector<double> b) {
  RANKSIGHT_REQUIRE(l.size() == b.size() * b.size());
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= l[i * n + k] * b[k];
    b[i] /= l[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= l[k * n + i] * b[k];
    b[i] /= l[i * n + i];
  }
  return b;
}

std::vector<double> InverseDiagonal(const Matrix& l, size_t n) {
  RANKSIGHT_REQUIRE(l.empty() || l.size() == n * n);
  std::vector<double> out;
  for (size_t i = 0; i < n && !l.empty(); ++i) {
    std::vector<double> unit(n);
    unit[i] = 1;
    out.push_back(Solve(l, std::move(unit))[i]);
  }
  return out;
}

}  // namespace ranksight::online_model
