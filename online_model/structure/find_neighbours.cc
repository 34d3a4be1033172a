#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "online_model/structure/sequence_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

// The short way from a rank to another, wrapping around where that is less.
Displacement ShortWay(const Context& from, int64_t to) {
  const Coordinates at = from.grid->At(to);
  Displacement by{};
  for (int d = 0; d < from.grid->size(); ++d) {
    const int64_t n = from.dim(d);
    int64_t v = at[size_t(d)] - from.at[size_t(d)];
    if (2 * v > n) v -= n;
    if (2 * v < -n) v += n;
    by[size_t(d)] = v;
  }
  return by;
}

bool Explains(const Neighbours& list, std::span<const RankPattern> patterns) {
  for (const RankPattern& p : patterns) {
    std::vector<int64_t> ranks;
    for (size_t slot = 0; slot < list.slots.size(); ++slot) {
      const auto to = list.Rank(p.where, slot);
      if (to) ranks.push_back(*to);
    }
    if (Shortest(std::move(ranks)) != p.pattern.period) return false;
  }
  return true;
}

using Slots = std::vector<Displacement>;

// Two ranks of a side pair off once: whether others do so the other way round
// as well shows where there are three.
bool ShowsBothRounds(const Slots& slots,
                     std::span<const RankPattern> patterns) {
  Displacement seen{}, along{};
  for (const RankPattern& p : patterns) {
    for (int d = 0; d < p.where.grid->size(); ++d) {
      seen[size_t(d)] = std::max(seen[size_t(d)], p.where.dim(d));
    }
  }
  for (const Displacement& by : slots) {
    for (size_t d = 0; d < by.size(); ++d) along[d] |= by[d] != 0;
  }
  for (size_t d = 0; d < seen.size(); ++d) {
    if (along[d] != 0 && seen[d] < 3) return false;
  }
  return true;
}

// Whether a program that skips ranks lists others than one that does not, as
// where a side has one rank or two; and whether what it lists may be those
// around each rank, not all that there are or what one rank has to do.
bool MaySkip(std::span<const RankPattern> patterns) {
  std::map<const Grid*, int64_t> ranks;
  bool is_short = false, leaves_out = false;
  for (const RankPattern& p : patterns) {
    const auto& dims = p.where.grid->dims;
    is_short |= std::ranges::any_of(dims, [](int64_t n) { return n <= 2; });
    leaves_out |= int64_t(p.pattern.period.size()) < p.where.ranks() - 1;
    ++ranks[p.where.grid];
  }
  const bool on_all = std::ranges::all_of(
      ranks, [](const auto& run) { return run.first->ranks() == run.second; });
  return is_short && leaves_out && on_all;
}

bool AreNext(const Slots& slots) {
  return std::ranges::all_of(slots, [](const Displacement& by) {
    return std::ranges::all_of(by, [](int64_t v) { return std::abs(v) <= 1; });
  });
}

// The same, as a turned list has it.
Displacement TurnedWay(const Context& from, int64_t to) {
  return Neighbours{{ShortWay(from, to)}, 0, from.grid->size(), true}.By(from,
                                                                         0);
}

// Lists worth trying: one that a rank shows whole, then the displacements of
// all ranks in each common order, with their opposites where a dimension of
// two ranks hides which side is meant.
std::vector<Slots> CandidateLists(std::span<const RankPattern> patterns,
                                  bool turned) {
  std::set<Displacement> seen, both;
  Slots longest;
  for (const RankPattern& p : patterns) {
    Slots slots;
    for (const int64_t to : p.pattern.period) {
      slots.push_back(turned ? TurnedWay(p.where, to) : ShortWay(p.where, to));
      Displacement back = slots.back();
      seen.insert(back);
      both.insert(back);
      for (int64_t& v : back) v = -v;
      both.insert(back);
    }
    const bool distinct =
        std::set<Displacement>(slots.begin(), slots.end()).size() ==
        slots.size();
    if (distinct && slots.size() > longest.size()) longest = slots;
  }
  std::vector<Slots> lists{longest};
  for (const auto* set : {&seen, &both}) {
    for (int order = 0; order < kCommonOrders; ++order) {
      Slots slots(set->begin(), set->end());
      std::stable_sort(slots.begin(), slots.end(),
                       [order](const auto& a, const auto& b) {
                         return ComesBefore(a, b, order);
                       });
      lists.push_back(std::move(slots));
    }
  }
  return lists;
}

}  // namespace

std::vector<std::shared_ptr<const Neighbours>> FindNeighbours(
    std::span<const RankPattern> patterns, int ndims) {
  // No stencil has more neighbours than this.
  constexpr size_t kMostNeighbours = 256;
  for (const RankPattern& p : patterns) {
    if (p.pattern.period.size() > kMostNeighbours) return {};
    for (const int64_t to : p.pattern.period) {
      if (to < 0 || to >= p.where.ranks()) return {};
    }
  }
  // As few periodic dimensions as possible: with two ranks in a dimension, one
  // neighbour around the edge looks like two that the edge takes away.
  const auto find = [&](bool turned, bool skips_own,
                        bool skips_known) -> std::shared_ptr<const Neighbours> {
    const std::vector<Slots> candidates = CandidateLists(patterns, turned);
    for (unsigned mask = 0; mask < 1u << ndims; ++mask) {
      for (const Slots& slots : candidates) {
        if (turned && !ShowsBothRounds(slots, patterns)) continue;
        if ((skips_own || skips_known) && !AreNext(slots)) continue;
        Neighbours list{slots, mask, ndims, turned, skips_own, skips_known};
        if (Explains(list, patterns)) {
          return std::make_shared<const Neighbours>(std::move(list));
        }
      }
    }
    return nullptr;
  };
  for (const bool turned : {false, true}) {
    if (auto list = find(turned, false, false)) return {std::move(list)};
  }
  std::vector<std::shared_ptr<const Neighbours>> lists;
  if (!MaySkip(patterns)) return lists;
  for (const auto& [own, known] :
       {std::pair{true, true}, {true, false}, {false, true}}) {
    if (auto list = find(false, own, known)) lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace ranksight::online_model
