#include "online_model/structure/candidate_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "online_model/structure/grid.h"
#include "online_model/structure/rule_families.h"
#include "online_model/structure/seen_grids.h"

namespace ranksight::online_model {
namespace {

// Of a side that is 1 at all sizes nothing was seen: how a program goes along
// it is not known, and all that was seen fewer dimensions tell.
bool HasEmptySide(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  for (int d = 0; d < rule.ndims && rule.ndims > 1; ++d) {
    const bool empty = std::all_of(sizes.begin(), sizes.end(), [&](int64_t n) {
      return (*rule.DimsFor(n))[size_t(d)] == 1;
    });
    if (empty) return true;
  }
  return false;
}

// Bits to say which peer one is, where it is near, by how many there are:
// along one side, or anywhere around.
struct NearBits {
  explicit NearBits(const Grid& grid) {
    int64_t faces = 1, around = 1;
    for (const int64_t side : grid.dims) {
      faces += std::min<int64_t>(side, 3) - 1;
      around *= std::min<int64_t>(side, 3);
    }
    along_side = std::log2(double(faces));
    anywhere = std::log2(double(around));
  }
  double along_side, anywhere;
};

// The share of the bits of a peer's number that the grid saves; one more where
// all members are next to one another along a side.
double SavedShare(const Grid& grid, const SeenPeers& run) {
  const double whole = std::log2(double(run.ranks));
  const NearBits bits(grid);
  double saved = 0;
  bool all = run.are_members;
  for (const auto& [rank, peer] : run.pairs) {
    const std::optional<int> sides =
        SidesBetween(grid, rank, peer, run.are_members);
    if (sides) saved += whole - (*sides > 1 ? bits.anywhere : bits.along_side);
    all = all && sides == 1;
  }
  return saved / (whole * double(run.pairs.size())) + (all ? 1 : 0);
}

// In fortieths, the mean over the runs: a few far messages more or less tell
// nothing. 0 without any messages.
int WorthOf(const DimsRule& rule, std::span<const SeenPeers> peers) {
  double sum = 0;
  int runs = 0;
  for (const SeenPeers& run : peers) {
    if (run.pairs.empty()) continue;
    sum += SavedShare(*rule.GridFor(run.ranks), run);
    ++runs;
  }
  return runs == 0 ? 0 : int(std::lround(40 * sum / runs));
}

bool IsKnown(const std::vector<DimsRule>& rules, const DimsRule& rule,
             const std::vector<int64_t>& sizes) {
  return std::any_of(rules.begin(), rules.end(), [&](const DimsRule& r) {
    return SameShapes(r, rule, sizes);
  });
}

// The rule in the order of ranks by which members of all communicators stand
// along its sides, where they do not row by row: each second row is named the
// other way round, whatever messages go elsewhere.
std::optional<DimsRule> OrderedByMembers(DimsRule rule,
                                         const std::vector<int64_t>& sizes,
                                         std::span<const SeenPeers> peers) {
  using enum RankOrder;
  if (rule.ndims < 2 || AreMembersInOrder(rule, peers)) return std::nullopt;
  for (const RankOrder order : {kBackAndForth, kMorton}) {
    rule.order = order;
    if (HoldsAt(rule, sizes) && AreMembersInOrder(rule, peers)) return rule;
  }
  return std::nullopt;
}

// Of the rules that are worth more than `least` those that are worth most.
class BestRules {
 public:
  BestRules(const std::vector<int64_t>& sizes, std::span<const SeenPeers> peers,
            int least)
      : sizes_(sizes), peers_(peers), least_(least), most_(least) {}

  // In each of the orders of ranks.
  void Try(DimsRule rule, std::initializer_list<RankOrder> orders) {
    std::vector<std::vector<int64_t>> shapes;
    for (const int64_t n : sizes_) shapes.push_back(*rule.DimsFor(n));
    if (!seen_.insert(std::move(shapes)).second) return;
    if (HasEmptySide(rule, sizes_)) return;
    for (const RankOrder order : orders) {
      rule.order = order;
      if (!HoldsAt(rule, sizes_)) continue;
      const int worth = WorthOf(rule, peers_);
      if (worth <= least_ || worth < most_) continue;
      if (worth > most_) best_.clear();
      most_ = worth;
      // Each costs a search.
      constexpr size_t kMostTried = 4;
      if (best_.size() < kMostTried) best_.push_back(rule);
    }
  }
  const std::vector<DimsRule>& best() const { return best_; }
  int most() const { return most_; }

 private:
  const std::vector<int64_t>& sizes_;
  std::span<const SeenPeers> peers_;
  int least_, most_;
  std::vector<DimsRule> best_;
  std::set<std::vector<std::vector<int64_t>>> seen_;
};

bool IsAmong(const SeenGrids& seen, const DimsRule& rule) {
  return rule.order == seen.order &&
         std::all_of(
             seen.shapes.begin(), seen.shapes.end(), [&](const auto& s) {
               const auto dims = rule.DimsFor(s.first);
               return dims && std::find(s.second.begin(), s.second.end(),
                                        *dims) != s.second.end();
             });
}

// What was seen as one where all sides but one are constants: of each run the
// shape that is like the first run's but for one side.
std::optional<DimsRule> OneFreeOf(const SeenGrids& seen) {
  for (const std::vector<int64_t>& first : seen.shapes.begin()->second) {
    for (size_t free = 0; free < first.size(); ++free) {
      const auto is_like_first = [&](std::vector<int64_t> dims) {
        if (dims.size() != first.size()) return false;
        dims[free] = first[free];
        return dims == first;
      };
      std::map<int64_t, std::vector<int64_t>> shapes;
      for (const auto& [n, of_run] : seen.shapes) {
        const auto like = std::ranges::find_if(of_run, is_like_first);
        if (like != of_run.end()) shapes[n] = *like;
      }
      if (shapes.size() != seen.shapes.size()) continue;
      if (auto rule = OneFreeRule(shapes, seen.order)) return rule;
    }
  }
  return std::nullopt;
}

// Where none of the rules gives what was seen, the one of which all sides but
// one are constants, or the first by a mesh that does, which say what is beyond
// it, or what was seen alone.
void AddSeen(const SeenGrids& seen, const std::vector<int64_t>& sizes,
             std::vector<DimsRule>* rules) {
  const auto is_among = [&](const DimsRule& r) { return IsAmong(seen, r); };
  if (std::any_of(rules->begin(), rules->end(), is_among)) return;
  if (auto one_free = OneFreeOf(seen); one_free && HoldsAt(*one_free, sizes)) {
    rules->push_back(std::move(*one_free));
    return;
  }
  std::optional<DimsRule> by_mesh;
  ForEachMeshRule(sizes, [&](DimsRule rule) {
    rule.order = seen.order;
    if (!by_mesh && is_among(rule)) by_mesh = std::move(rule);
  });
  DimsRule first{DimsRule::Kind::kGiven, 0, false, 0, {}, {}, seen.order};
  for (const auto& [n, shapes] : seen.shapes) first.given[n] = shapes.front();
  first.ndims = int(first.given.begin()->second.size());
  rules->push_back(by_mesh.value_or(first));
}

SeenGrids AsSeen(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  SeenGrids seen{rule.order, {}};
  for (const int64_t n : sizes) seen.shapes[n] = {*rule.DimsFor(n)};
  return seen;
}

// Whether all runs may be without the same side: a line is a grid as well.
bool MayLackSide(const SeenGrids& seen) {
  const auto lacks = [](const auto& run, size_t d) {
    return std::any_of(run.second.begin(), run.second.end(),
                       [d](const auto& dims) { return dims[d] == 1; });
  };
  const size_t sides = seen.shapes.begin()->second.front().size();
  for (size_t d = 0; d < sides; ++d) {
    if (std::all_of(seen.shapes.begin(), seen.shapes.end(),
                    [&](const auto& run) { return lacks(run, d); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<DimsRule> CandidateRules(const std::vector<int64_t>& sizes,
                                     const Shapes& recorded,
                                     std::span<const SeenPeers> peers,
                                     const std::set<int>& by_mpi,
                                     const Shapes& lines) {
  std::vector<DimsRule> rules;
  const bool all_recorded = recorded.size() == sizes.size() && !sizes.empty();
  const DimsRule given{DimsRule::Kind::kGiven,
                       all_recorded ? int(recorded.begin()->second.size()) : 0,
                       false, 0, recorded};
  for (const DimsRule& rule : PlainRules()) {
    if (!HoldsAt(rule, sizes)) continue;
    if (!by_mpi.empty() && rule.ndims > 1 &&
        !(rule.kind == DimsRule::Kind::kBalanced &&
          by_mpi.contains(rule.ndims))) {
      continue;
    }
    const bool used = all_recorded && SameShapes(rule, given, sizes);
    if (!used && HasEmptySide(rule, sizes)) continue;
    if (!IsKnown(rules, rule, sizes)) rules.push_back(rule);
  }
  std::vector<int> worths;
  for (const DimsRule& rule : rules) worths.push_back(WorthOf(rule, peers));
  int most = 0, most_of_grid = 0;
  for (size_t r = 0; r < rules.size(); ++r) {
    most = std::max(most, worths[r]);
    if (rules[r].ndims > 1) most_of_grid = std::max(most_of_grid, worths[r]);
  }
  // Ranks that are not counted row by row: only where that tells more than any
  // grid by rows; a line of few ranks always tells much. Not where MPI counted
  // them.
  using enum RankOrder;
  if (!all_recorded) {
    BestRules ordered(sizes, peers, most_of_grid);
    for (const DimsRule& rule : rules) {
      if (rule.ndims > 1) ordered.Try(rule, {kBackAndForth, kMorton});
    }
    most = std::max(most, ordered.most());
    rules.insert(rules.begin(), ordered.best().begin(), ordered.best().end());
    worths.insert(worths.begin(), ordered.best().size(), ordered.most());
  }
  std::vector<DimsRule> sorted;
  for (const DimsRule& rule : rules) {
    if (all_recorded || rule.order != kRows) continue;
    const auto ordered = OrderedByMembers(rule, sizes, peers);
    if (ordered && !IsKnown(rules, *ordered, sizes)) sorted.push_back(*ordered);
  }
  std::vector<size_t> order(rules.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&worths](size_t a, size_t b) {
    return worths[a] > worths[b];
  });
  for (const size_t r : order) sorted.push_back(rules[r]);
  if (!by_mpi.empty() && !all_recorded) return sorted;
  if (!all_recorded && !lines.empty()) {
    const DimsRule by_lines{DimsRule::Kind::kGiven,
                            int(lines.begin()->second.size()), false, 0, lines};
    if (!HasEmptySide(by_lines, sizes)) {
      AddSeen(AsSeen(by_lines, sizes), sizes, &sorted);
    }
  }
  // Last, for there is one for almost any grid: a program that only talks along
  // the first of three sides is one on a plane as well.
  BestRules by_mesh(sizes, peers, most);
  ForEachMeshRule(sizes, [&](const DimsRule& rule) {
    if (all_recorded) {
      by_mesh.Try(rule, {kRows});
    } else {
      by_mesh.Try(rule, {kRows, kBackAndForth, kMorton});
    }
  });
  for (const DimsRule& rule : by_mesh.best()) {
    if (!IsKnown(sorted, rule, sizes)) sorted.push_back(rule);
  }
  rules = std::move(sorted);
  if (!all_recorded) {
    const auto seen = FindSeenGrids(peers);
    if (seen && !MayLackSide(*seen)) AddSeen(*seen, sizes, &rules);
    return rules;
  }
  AddSeen(AsSeen(given, sizes), sizes, &rules);
  std::stable_partition(rules.begin(), rules.end(), [&](const DimsRule& r) {
    return SameShapes(r, given, sizes);
  });
  return rules;
}

std::vector<DimsRule> NearerRules(const DimsRule& rule,
                                  const std::vector<int64_t>& sizes,
                                  std::span<const SeenPeers> peers) {
  // So many are tried; there are few where any is the program's.
  constexpr size_t kMost = 4;
  std::vector<DimsRule> nearer;
  if (AreAllNear(rule, peers)) return nearer;
  using enum RankOrder;
  const auto add = [&](DimsRule other) {
    if (other.ndims <= rule.ndims) return;
    for (const RankOrder order : {kRows, kBackAndForth, kMorton}) {
      other.order = order;
      const bool is_new = nearer.size() < kMost && HoldsAt(other, sizes) &&
                          !HasEmptySide(other, sizes) &&
                          !IsKnown(nearer, other, sizes);
      if (is_new && AreAllNear(other, peers)) nearer.push_back(other);
    }
  };
  for (const DimsRule& other : PlainRules()) {
    if (HoldsAt(other, sizes)) add(other);
  }
  ForEachMeshRule(sizes, add);
  return nearer;
}

}  // namespace ranksight::online_model
