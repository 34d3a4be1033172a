#include "adapters/conceptual/domain.h"

#include <algorithm>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::Parameter;
using reduction::Result;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Status;

// Of one rank, and of all that are looked at one by one. Doubling them
// doubles the memory that the most uneven programs take (a bit each).
constexpr int64_t kMostPositions = int64_t{1} << 22;
constexpr int64_t kMostBits = int64_t{1} << 31;

// Values that do not matter repeat the one `back` positions before them.
Section Filled(const std::vector<bool>& happens, const Section& values,
               size_t back) {
  RANKSIGHT_REQUIRE(back > 0);
  std::vector<int64_t> all(happens.size());
  SectionCursor next(&values);
  int64_t first = values.empty() ? 0 : values.At(0);
  for (size_t i = 0; i < all.size(); ++i) {
    if (happens[i] && !next.done()) {
      all[i] = next.Next();
    } else {
      all[i] = i >= back ? all[i - back] : first;
    }
  }
  return Section::Of(all);
}

}  // namespace

int64_t MostTrips(const Parameter& trips) {
  int64_t most = 0;
  for (const auto& [rank, section] : trips.ByRank()) {
    most = std::max(most, section.Max());
  }
  return most;
}

Result<Domain> Domain::Inside(const Parameter& trips,
                              const std::string& index) const {
  Domain inner;
  inner.levels_ = levels_;
  const int64_t most = MostTrips(trips);
  if (most > 1) inner.levels_.push_back({index, most});
  // Before the product, which would overflow.
  if (most > 0 && positions_ > (int64_t{1} << 62) / most) {
    return Status::No("a loop is too long");
  }
  inner.positions_ = positions_ * std::max<int64_t>(most, 1);
  int64_t bits = 0;
  for (const auto& [rank, section] : trips.ByRank()) {
    const auto known = happens_.find(rank);
    // Ranks that go round as often as any need no bits, unless a loop around
    // this one is uneven.
    const bool even = section.IsConstant() && section.At(0) == most;
    if (even && known == happens_.end()) continue;
    bits += inner.positions_;
    if (inner.positions_ > kMostPositions || bits > kMostBits) {
      return Status::No("loops are too long and uneven for one program");
    }
    std::vector<bool>& happens = inner.happens_[rank];
    SectionCursor next(&section);
    for (int64_t i = 0; i < positions_; ++i) {
      const bool reached = known == happens_.end() || known->second[size_t(i)];
      const int64_t t = reached && !next.done() ? next.Next() : 0;
      happens.insert(happens.end(), size_t(t), true);
      happens.insert(happens.end(), size_t(most - t), false);
    }
  }
  return inner;
}

Section Domain::Stretch(int64_t rank, const Section& values) const {
  const auto known = happens_.find(rank);
  if (known == happens_.end()) return values;
  // As in the round before, or as in the last one of an outer loop.
  Section best = Filled(known->second, values, 1);
  size_t round = 1;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    round *= size_t(level->most);
    if (round >= known->second.size()) break;
    Section other = Filled(known->second, values, round);
    if (other.terms().size() < best.terms().size()) best = std::move(other);
  }
  return best;
}

}  // namespace ranksight::adapters::conceptual
