// Systems of equations with a symmetric positive matrix, a few dozen unknowns.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace ranksight::online_model {

using Matrix = std::vector<double>;  // row by row

// The lower triangle L with L L' = m, n by n, or empty.
Matrix Cholesky(const Matrix& m, size_t n);

// x with L L' x = b.
std::vector<double> Solve(const Matrix& l, std::vector<double> b);

// The diagonal of the inverse of L L', n by n; empty where L is.
std::vector<double> InverseDiagonal(const Matrix& l, size_t n);

}  // namespace ranksight::online_model
