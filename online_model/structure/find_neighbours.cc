#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

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
    if (Shortest(list.Ranks(p.where)) != p.pattern.period) return false;
  }
  return true;
}

using Slots = std::vector<Displacement>;

// Two ranks of a side pair off once: whether others do so the other way round
// as well shows where there are three, on some side here and on the others
// before laws are taken (check_turns.h).
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
    if (along[d] != 0 && seen[d] >= 3) return true;
  }
  return false;
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

using Lists = std::vector<std::shared_ptr<const Neighbours>>;

// The ways of skipping ranks, the one that skips most first.
constexpr std::array<std::pair<bool, bool>, 3> kWaysOfSkipping{
    {{true, true}, {true, false}, {false, true}}};

// In the order of slots.
Lists FindInOrder(std::span<const RankPattern> patterns, int ndims) {
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
  Lists lists;
  if (!MaySkip(patterns)) return lists;
  for (const auto& [own, known] : kWaysOfSkipping) {
    if (auto list = find(false, own, known)) lists.push_back(std::move(list));
  }
  return lists;
}

bool AnyHasSeveral(std::span<const RankPattern> patterns) {
  return std::ranges::any_of(patterns, [](const RankPattern& p) {
    return p.pattern.period.size() > 1;
  });
}

// Whether the list names neither all ranks along the sides that it moves along
// nor all but the own, on some rank: on sides of three, a list of who is next
// is that of all in turn, which goes on otherwise.
bool NamesFewOfAll(const Neighbours& list,
                   std::span<const RankPattern> patterns) {
  return std::ranges::any_of(patterns, [&list](const RankPattern& p) {
    int64_t all = 1;
    for (size_t d = 0; d < p.where.grid->dims.size(); ++d) {
      if (list.MovesAlong(d)) all *= p.where.grid->dims[d];
    }
    return int64_t(p.pattern.period.size()) + 1 < all;
  });
}

// In ascending order of ranks. Which place of a list has which neighbour is
// another thing at each end of a side, but what neighbours there are the
// longest sides show.
Lists FindAscending(std::span<const RankPattern> patterns, int ndims) {
  const bool ascend = std::ranges::all_of(patterns, [](const RankPattern& p) {
    return std::ranges::is_sorted(p.pattern.period);
  });
  if (!ascend || !AnyHasSeveral(patterns)) return {};
  const int64_t most = std::ranges::max(patterns, {}, [](const RankPattern& p) {
                         return p.where.ranks();
                       }).where.ranks();
  std::set<Displacement> seen;
  for (const RankPattern& p : patterns) {
    if (p.where.ranks() != most) continue;
    for (const int64_t to : p.pattern.period) {
      seen.insert(ShortWay(p.where, to));
    }
  }
  const auto find = [&](bool skips_own,
                        bool skips_known) -> std::shared_ptr<const Neighbours> {
    Neighbours list{{seen.begin(), seen.end()}, 0, ndims};
    list.skips_own = skips_own;
    list.skips_known = skips_known;
    list.ascending = true;
    if (list.skips() && !AreNext(list.slots)) return nullptr;
    if (!NamesFewOfAll(list, patterns)) return nullptr;
    for (; list.periodic < 1u << ndims; ++list.periodic) {
      if (Explains(list, patterns)) {
        return std::make_shared<const Neighbours>(list);
      }
    }
    return nullptr;
  };
  if (auto list = find(false, false)) return {std::move(list)};
  Lists lists;
  if (!MaySkip(patterns)) return lists;
  for (const auto& [own, known] : kWaysOfSkipping) {
    if (auto list = find(own, known)) lists.push_back(std::move(list));
  }
  return lists;
}

// How many ranks of a line have no list, from its first and from its last one
// on: in all runs alike, of which some differ in size. Nothing where others
// have none, or none has not.
struct LeftOut {
  int64_t first = 0, last = 0;
  bool operator==(const LeftOut&) const = default;
};
std::optional<LeftOut> LeftOutOf(std::span<const RankPattern> patterns) {
  std::map<const Grid*, std::set<int64_t>> listed;
  for (const RankPattern& p : patterns) {
    listed[p.where.grid].insert(p.where.rank);
  }
  std::optional<LeftOut> all;
  std::set<int64_t> sizes;
  for (const auto& [grid, ranks] : listed) {
    const int64_t first = *ranks.begin(), last = *ranks.rbegin();
    const LeftOut out{first, grid->ranks() - 1 - last};
    if (int64_t(ranks.size()) != last - first + 1) return std::nullopt;
    if (all.value_or(out) != out) return std::nullopt;
    all = out;
    sizes.insert(grid->ranks());
  }
  if (sizes.size() < 2 || *all == LeftOut{}) return std::nullopt;
  return all;
}

// On a line of which some ranks have no part, as if the others were all.
Lists FindOnPartOfLine(std::span<const RankPattern> patterns) {
  const auto out = LeftOutOf(patterns);
  if (!out || !AnyHasSeveral(patterns)) return {};
  std::map<const Grid*, Grid> parts;
  std::vector<RankPattern> on_part(patterns.begin(), patterns.end());
  for (RankPattern& p : on_part) {
    const int64_t n = p.where.ranks() - out->first - out->last;
    const Grid& part = parts.try_emplace(p.where.grid, Grid{{n}}).first->second;
    p.where = Context(part, p.where.rank - out->first);
    for (int64_t& to : p.pattern.period) {
      to -= out->first;
      if (to < 0 || to >= n) return {};
    }
  }
  Lists lists;
  for (const auto& found : FindInOrder(on_part, 1)) {
    Neighbours list = *found;
    list.left_out_first = out->first;
    list.left_out_last = out->last;
    lists.push_back(std::make_shared<const Neighbours>(std::move(list)));
  }
  return lists;
}

}  // namespace

Lists FindNeighbours(std::span<const RankPattern> patterns, int ndims) {
  // No stencil has more neighbours than this.
  constexpr size_t kMostNeighbours = 256;
  for (const RankPattern& p : patterns) {
    if (p.pattern.period.size() > kMostNeighbours) return {};
    for (const int64_t to : p.pattern.period) {
      if (to < 0 || to >= p.where.ranks()) return {};
    }
  }
  Lists lists = FindInOrder(patterns, ndims);
  if (lists.empty()) lists = FindAscending(patterns, ndims);
  if (lists.empty() && ndims == 1) lists = FindOnPartOfLine(patterns);
  return lists;
}

}  // namespace ranksight::online_model
