#include "online_model/structure/grid.h"

#include <algorithm>

namespace ranksight::online_model {

int64_t Grid::ranks() const {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return n;
}

Coordinates Grid::At(int64_t rank) const {
  Coordinates at{};
  if (order == RankOrder::kMorton) {
    for (const MortonBit& bit : MortonBits(dims)) {
      at[size_t(bit.dim)] |= (rank & 1) << bit.level;
      rank >>= 1;
    }
    return at;
  }
  for (int d = size() - 1; d >= 0; --d) {
    at[d] = rank % dims[d];
    rank /= dims[d];
  }
  if (order == RankOrder::kRows) return at;
  for (int d = 1; d < size(); ++d) {
    if (at[d - 1] % 2 != 0) at[d] = dims[d] - 1 - at[d];
  }
  return at;
}

int64_t Grid::RankOf(const Coordinates& at) const {
  int64_t rank = 0;
  if (order == RankOrder::kMorton) {
    int number = 0;
    for (const MortonBit& bit : MortonBits(dims)) {
      rank |= (at[size_t(bit.dim)] >> bit.level & 1) << number++;
    }
    return rank;
  }
  for (int d = 0; d < size(); ++d) {
    const bool back =
        order == RankOrder::kBackAndForth && d > 0 && at[d - 1] % 2 != 0;
    rank = rank * dims[d] + (back ? dims[d] - 1 - at[d] : at[d]);
  }
  return rank;
}

std::vector<MortonBit> MortonBits(const std::vector<int64_t>& dims) {
  std::vector<MortonBit> bits;
  const int64_t longest = *std::max_element(dims.begin(), dims.end());
  for (int level = 0; int64_t{1} << level < longest; ++level) {
    for (int d = int(dims.size()); d-- > 0;) {
      if (int64_t{1} << level < dims[size_t(d)]) bits.push_back({d, level});
    }
  }
  return bits;
}

std::string DimsText(const std::vector<int64_t>& dims) {
  std::string text;
  for (const int64_t d : dims) {
    if (!text.empty()) text += 'x';
    text += std::to_string(d);
  }
  return text;
}

}  // namespace ranksight::online_model
