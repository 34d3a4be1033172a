#include "online_model/structure/grid.h"

namespace ranksight::online_model {

int64_t Grid::ranks() const {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return n;
}

Coordinates Grid::At(int64_t rank) const {
  Coordinates at{};
  for (int d = size() - 1; d >= 0; --d) {
    at[d] = rank % dims[d];
    rank /= dims[d];
  }
  return at;
}

int64_t Grid::RankOf(const Coordinates& at) const {
  int64_t rank = 0;
  for (int d = 0; d < size(); ++d) rank = rank * dims[d] + at[d];
  return rank;
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
