#include "online_model/structure/find_peer.h"

#include <cstdlib>
#include <set>
#include <utility>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {

using Samples = std::span<const Sample>;

std::optional<ScalarLaw> FindNeighbour(Samples samples, int ndims) {
  std::set<std::pair<int64_t, Displacement>> candidates;
  size_t looked = 0;
  for (const Sample& s : samples) {
    if (reduction::IsSpecial(s.value) || s.value < 0 ||
        s.value >= s.where.ranks()) {
      continue;
    }
    const Coordinates to = s.where.grid->At(s.value);
    Displacement by{};
    int64_t length = 0;
    for (int d = 0; d < ndims; ++d) {
      const int64_t n = s.where.dim(d);
      by[size_t(d)] = to[size_t(d)] - s.where.at[size_t(d)];
      if (2 * by[size_t(d)] > n) by[size_t(d)] -= n;
      if (2 * by[size_t(d)] <= -n && n > 2) by[size_t(d)] += n;
      length += std::abs(by[size_t(d)]);
    }
    Displacement back = by;
    for (int64_t& v : back) v = -v;
    candidates.insert({length, by});
    candidates.insert({length, back});
    if (++looked == 64) break;
  }
  for (const auto& [length, by] : candidates) {
    for (unsigned mask = 0; mask < 1u << ndims; ++mask) {
      ScalarLaw law;
      law.kind = ScalarLaw::Kind::kNeighbour;
      law.by = by;
      law.periodic = mask;
      law.ndims = ndims;
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindOnLine(Samples samples) {
  const Sample& s = samples[0];
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kNeighbour;
  law.on_line = true;
  law.periodic = 1;
  for (const int64_t by :
       {s.value - s.where.rank, s.value - s.where.rank - s.where.ranks(),
        s.value - s.where.rank + s.where.ranks()}) {
    law.by = {by};
    if (Fits(law, samples)) return law;
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindXor(Samples samples) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kXor;
  law.constant = samples[0].where.rank ^ samples[0].value;
  if (!Fits(law, samples)) return std::nullopt;
  return law;
}

}  // namespace ranksight::online_model
