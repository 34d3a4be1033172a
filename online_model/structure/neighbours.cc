#include "online_model/structure/neighbours.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

int Direction(const Displacement& by) {
  for (int d = 0; d < kMaxDims; ++d) {
    if (by[d] != 0) return d;
  }
  return kMaxDims;
}

// Orders 0..3: dimension, then side. 4, 5: lexicographic. 6, 7: last
// dimension first. 8, 9: side, then dimension.
Displacement KeyOf(const Displacement& by, int order) {
  const int d = Direction(by);
  const int64_t step = d < kMaxDims ? by[d] : 0;
  switch (order) {
    case 0:
      return {d, step};
    case 1:
      return {d, -step};
    case 2:
      return {-d, step};
    case 3:
      return {-d, -step};
    case 4:
      return by;
    case 5:
      return {-by[0], -by[1], -by[2], -by[3]};
    case 6:
      return {by[3], by[2], by[1], by[0]};
    case 7:
      return {-by[3], -by[2], -by[1], -by[0]};
    case 8:
      return {step, d};
    default:
      return {-step, d};
  }
}

}  // namespace

std::optional<int64_t> Displaced(const Context& from, const Displacement& by,
                                 unsigned periodic) {
  Coordinates to{};
  for (int d = 0; d < from.grid->size(); ++d) {
    const int64_t n = from.dim(d);
    to[d] = from.at[d] + by[d];
    if ((periodic >> d & 1) != 0) to[d] = ((to[d] % n) + n) % n;
    if (to[d] < 0 || to[d] >= n) return std::nullopt;
  }
  return from.grid->RankOf(to);
}

std::string ToString(const Displacement& by, int ndims) {
  std::string text = "(";
  for (int d = 0; d < ndims; ++d) {
    if (d > 0) text += ',';
    if (by[d] > 0) text += '+';
    text += std::to_string(by[d]);
  }
  return text + ")";
}

bool ComesBefore(const Displacement& a, const Displacement& b, int order) {
  return KeyOf(a, order) < KeyOf(b, order);
}

Displacement Neighbours::By(const Context& at, size_t slot) const {
  Displacement by = slots[slot];
  for (int d = 0; turned && d < at.grid->size(); ++d) {
    const int64_t place = at.at[size_t(d)] - left_out_first;
    if (place % 2 == 1) by[size_t(d)] = -by[size_t(d)];
  }
  return by;
}

std::optional<int64_t> Neighbours::Rank(const Context& at, size_t slot) const {
  const Displacement by = By(at, slot);
  if (!leaves_out()) {
    return Skips(at.grid->dims, slot) ? std::nullopt
                                      : Displaced(at, by, periodic);
  }
  const int64_t place = at.rank - left_out_first, n = PartOf(at.ranks());
  if (place < 0 || place >= n || Skips({n}, slot)) return std::nullopt;
  int64_t to = place + by[0];
  if ((periodic & 1) != 0) to = ((to % n) + n) % n;
  if (to < 0 || to >= n) return std::nullopt;
  return to + left_out_first;
}

bool Neighbours::MovesAlong(size_t side) const {
  return std::ranges::any_of(
      slots, [side](const Displacement& by) { return by[side] != 0; });
}

bool Neighbours::Skips(const std::vector<int64_t>& dims, size_t slot) const {
  const auto meet = [&](const Displacement& a, const Displacement& b) {
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t apart = a[d] - b[d];
      const bool around = (periodic >> d & 1) != 0;
      if (around ? apart % dims[d] != 0 : apart != 0) return false;
    }
    return true;
  };
  if (skips_own && meet(slots[slot], {})) return true;
  return skips_known &&
         std::any_of(
             slots.begin(), slots.begin() + std::ptrdiff_t(slot),
             [&](const Displacement& s) { return meet(s, slots[slot]); });
}

std::vector<int> Neighbours::Kept(const Context& at) const {
  std::vector<int> kept;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (Rank(at, i)) kept.push_back(int(i));
  }
  if (ascending) {
    std::ranges::stable_sort(kept, {},
                             [&](int slot) { return *Rank(at, size_t(slot)); });
  }
  return kept;
}

std::vector<int64_t> Neighbours::Ranks(const Context& at) const {
  std::vector<int64_t> ranks;
  for (const int slot : Kept(at)) ranks.push_back(*Rank(at, size_t(slot)));
  return ranks;
}

int64_t Neighbours::Degree(const Context& at) const {
  int64_t degree = 0;
  for (size_t i = 0; i < slots.size(); ++i) degree += Rank(at, i).has_value();
  return degree;
}

std::string Neighbours::ToString() const {
  std::string text = "{";
  for (const Displacement& by : slots) {
    if (text.size() > 1) text += ' ';
    text += online_model::ToString(by, ndims);
  }
  text += "}";
  if (turned) text += ", turned at odd places";
  if (skips_own) text += ", without the own rank";
  if (skips_known) text += ", each once";
  if (ascending) text += ", ascending";
  if (left_out_first > 0) {
    text += ", without the first " + std::to_string(left_out_first);
  }
  if (left_out_last > 0) {
    text += ", without the last " + std::to_string(left_out_last);
  }
  if (periodic != 0) {
    text += " periodic in";
    for (int d = 0; d < ndims; ++d) {
      if ((periodic >> d & 1) != 0) text += " x" + std::to_string(d);
    }
  }
  return text;
}

}  // namespace ranksight::online_model
