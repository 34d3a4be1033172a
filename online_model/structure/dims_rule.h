// Rules that give the shape of a grid from the number of ranks.
//
// Thread-safety: value types, pure functions.
// Complexity: DimsCreate is polynomial in the number of divisors of n.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ranksight::online_model {

// What MPI_Dims_create of MPICH gives for n ranks and no fixed dimension:
// the factorisation, largest first, with the least difference between first
// and last; of equals the one whose last, then last but one, ... is largest.
std::vector<int64_t> DimsCreate(int64_t n, int ndims);

struct DimsRule {
  enum class Kind {
    kLine,      // N
    kEqual,     // square, cube, ...: N must be a perfect power
    kBalanced,  // MPI_Dims_create
    kFixed,     // one dimension is `fixed`, the other N / fixed
    kGiven,     // recorded at the inputs, unknown elsewhere
  };
  Kind kind = Kind::kLine;
  int ndims = 1;
  bool reversed = false;  // smallest (or fixed) dimension first
  int64_t fixed = 0;
  std::map<int64_t, std::vector<int64_t>> given;  // by number of ranks

  std::optional<std::vector<int64_t>> DimsFor(int64_t n) const;
  std::string ToString() const;
};

// Rules that hold at every size, simplest first. `recorded` has the dims
// that the program gave MPI_Cart_create, where it did: rules that give those
// come first, and when none does, the recorded shapes are a rule themselves.
std::vector<DimsRule> CandidateRules(
    const std::vector<int64_t>& sizes,
    const std::map<int64_t, std::vector<int64_t>>& recorded);

inline bool IsPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// The sizes nearest to n for which the rule has a shape, ascending.
std::vector<int64_t> NearbySizes(const DimsRule& rule, int64_t n, int count);

}  // namespace ranksight::online_model
