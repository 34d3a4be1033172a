#include "online_model/structure/candidate_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "online_model/structure/grid.h"
#include "online_model/structure/seen_grids.h"

namespace ranksight::online_model {
namespace {

bool HoldsAt(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return rule.GridFor(n).has_value(); });
}

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

bool SameShapes(const DimsRule& a, const DimsRule& b,
                const std::vector<int64_t>& sizes) {
  return a.order == b.order &&
         std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return a.DimsFor(n) == b.DimsFor(n); });
}

// Whichever side comes first.
bool SameSides(const DimsRule& a, const DimsRule& b,
               const std::vector<int64_t>& sizes) {
  const auto sides = [](const DimsRule& rule, int64_t n) {
    auto dims = rule.DimsFor(n);
    if (dims) std::sort(dims->begin(), dims->end());
    return dims;
  };
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return sides(a, n) == sides(b, n); });
}

std::vector<DimsRule> PlainRules() {
  using Kind = DimsRule::Kind;
  std::vector<DimsRule> rules{{Kind::kLine, 1, false, 0, {}}};
  for (int d = 2; d <= kMaxDims; ++d) {
    rules.push_back({Kind::kEqual, d, false, 0, {}});
    rules.push_back({Kind::kBalanced, d, false, 0, {}});
    rules.push_back({Kind::kBalanced, d, true, 0, {}});
  }
  for (int64_t fixed = 2; fixed <= 8; ++fixed) {
    rules.push_back({Kind::kFixed, 2, false, fixed, {}});
    rules.push_back({Kind::kFixed, 2, true, fixed, {}});
  }
  return rules;
}

// Calls f for each mesh whose sides are any of these lengths.
template <class F>
void ForEachMesh(int ndims, std::span<const int64_t> lengths, const F& f) {
  std::vector<size_t> at(size_t(ndims), 0);
  std::vector<int64_t> mesh(size_t(ndims), lengths[0]);
  for (;;) {
    f(mesh);
    size_t d = 0;
    while (d < at.size() && ++at[d] == lengths.size()) {
      at[d] = 0;
      mesh[d++] = lengths[0];
    }
    if (d == at.size()) return;
    mesh[d] = lengths[at[d]];
  }
}

// All meshes whose sides are small multiples of one another.
std::vector<std::vector<int64_t>> Meshes(int ndims) {
  constexpr size_t kLongest[] = {16, 10};
  std::vector<int64_t> lengths(kLongest[ndims - 2]);
  std::iota(lengths.begin(), lengths.end(), 1);
  std::set<std::vector<int64_t>> meshes;
  ForEachMesh(ndims, lengths, [&](const std::vector<int64_t>& mesh) {
    int64_t common = 0;
    for (const int64_t side : mesh) common = std::gcd(common, side);
    if (common == 1) meshes.insert(mesh);
  });
  return {meshes.begin(), meshes.end()};
}

// Calls f for each rule by the blocks of a mesh whose sides are round numbers
// of points, or some of `others`. What is left over where a block is not whole
// decides between shapes that are nearly as good as one another: ratios of
// sides do not tell.
template <class F>
void ForEachBlockRule(int ndims, std::span<const int64_t> others, const F& f) {
  std::set<int64_t> points{24,  32,  40,  48,  50,  60,  64,  80,
                           96,  100, 120, 128, 160, 200, 240, 250,
                           256, 320, 400, 480, 500, 512};
  points.insert(others.begin(), others.end());
  constexpr auto kind = DimsRule::Kind::kLeastBlockSurface;
  const std::vector<int64_t> lengths(points.begin(), points.end());
  ForEachMesh(ndims, lengths, [&](const std::vector<int64_t>& mesh) {
    for (const bool reversed : {false, true}) {
      f(DimsRule{kind, ndims, reversed, 0, {}, mesh});
    }
  });
}

// Nobody cuts a mesh into blocks of two or three points.
bool HasFineBlocks(const std::vector<int64_t>& dims,
                   const std::vector<int64_t>& mesh) {
  constexpr int64_t kFewestPoints = 4;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] * kFewestPoints > mesh[d]) return false;
  }
  return true;
}

// How far ranks that are next to one another along a side are apart, row by
// row.
int64_t ApartAlong(const Grid& grid, int side) {
  int64_t apart = 1;
  for (size_t d = size_t(side) + 1; d < grid.dims.size(); ++d) {
    apart *= grid.dims[d];
  }
  return apart;
}

// Whether whoever goes along side d of one and side e of the other, and comes
// back at its end, cannot tell them apart.
bool AreNumberedAlike(const Grid& one, int d, const Grid& other, int e) {
  const int64_t length = one.dims[size_t(d)];
  if (length != other.dims[size_t(e)]) return false;
  if (one.order == RankOrder::kRows && other.order == RankOrder::kRows) {
    return ApartAlong(one, d) == ApartAlong(other, e);
  }
  const auto next = [length](const Grid& grid, int side, Coordinates at) {
    at[size_t(side)] = (at[size_t(side)] + 1) % length;
    return grid.RankOf(at);
  };
  for (int64_t r = 0; r < one.ranks(); ++r) {
    const Coordinates here = one.At(r), there = other.At(r);
    if (here[size_t(d)] != there[size_t(e)]) return false;
    if (next(one, d, here) != next(other, e, there)) return false;
  }
  return true;
}

// Calls f for each rule by the sides of a mesh that holds at all sizes.
template <class F>
void ForEachMeshRule(const std::vector<int64_t>& sizes, const F& f) {
  using Kind = DimsRule::Kind;
  // Few programs cut by other factors than two.
  const bool are_powers = std::all_of(sizes.begin(), sizes.end(), IsPowerOfTwo);
  for (int ndims = 2; ndims <= 3; ++ndims) {
    for (const auto& mesh : Meshes(ndims)) {
      for (const Kind kind : {Kind::kLeastSurface, Kind::kHalves}) {
        for (const bool reversed : {false, true}) {
          const DimsRule rule{kind, ndims, reversed, 0, {}, mesh};
          if (kind == Kind::kHalves && !are_powers) continue;
          if (HoldsAt(rule, sizes)) f(rule);
        }
      }
    }
  }
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

// One for each shape of `ranks` that a share of the meshes gives, by whose
// blocks the runs are as the rule says: of those, where the program is known to
// ask for its mesh (of few any), else of all. Some odd mesh gives almost any:
// most programs whose grids are as even as can be, or of two columns, do not
// ask for a mesh. `mesh`: what laws take for it.
std::vector<DimsRule> LikelyBlockRules(const DimsRule& rule,
                                       const std::vector<int64_t>& sizes,
                                       std::span<const int64_t> mesh,
                                       int64_t ranks) {
  constexpr size_t kOneOfAll = 128, kOneOfLikeRuns = 64;
  std::vector<DimsRule> likely;
  if (rule.ndims != 2 && rule.ndims != 3) return likely;
  struct Meshes {
    DimsRule first;
    size_t count = 0;
  };
  std::map<std::vector<int64_t>, Meshes> by_shape;
  size_t all = 0, like_runs = 0;
  ForEachBlockRule(rule.ndims, mesh, [&](DimsRule other) {
    other.order = rule.order;
    ++all;
    if (!SameShapes(other, rule, sizes)) return;
    const std::vector<int64_t> dims = *other.DimsFor(ranks);
    if (!HasFineBlocks(dims, other.mesh)) return;
    ++like_runs;
    ++by_shape.try_emplace(dims, Meshes{other}).first->second.count;
  });
  for (const auto& [dims, meshes] : by_shape) {
    const bool is_likely = rule.IsByMesh()
                               ? meshes.count * kOneOfLikeRuns >= like_runs
                               : meshes.count * kOneOfAll >= all;
    if (is_likely) likely.push_back(meshes.first);
  }
  return likely;
}

bool IsAmong(const SeenGrids& seen, const DimsRule& rule) {
  return rule.order == seen.order &&
         std::all_of(
             seen.shapes.begin(), seen.shapes.end(), [&](const auto& s) {
               const auto dims = rule.DimsFor(s.first);
               return dims && std::find(s.second.begin(), s.second.end(),
                                        *dims) != s.second.end();
             });
}

// Where none of the rules gives what was seen, the first by a mesh that does,
// which says what is beyond it, or what was seen alone.
void AddSeen(const SeenGrids& seen, const std::vector<int64_t>& sizes,
             std::vector<DimsRule>* rules) {
  const auto is_among = [&](const DimsRule& r) { return IsAmong(seen, r); };
  if (std::any_of(rules->begin(), rules->end(), is_among)) return;
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

std::optional<DimsRule> RuleOfHiddenSide(const DimsRule& rule,
                                         const std::vector<int64_t>& sizes,
                                         int64_t ranks) {
  std::optional<DimsRule> hidden;
  const auto is_hidden = [&](const DimsRule& other, int side, int64_t n) {
    std::vector<int64_t> dims = *other.DimsFor(n);
    if (dims[size_t(side)] != 1) return false;
    dims.erase(dims.begin() + side);
    return dims == *rule.DimsFor(n);
  };
  ForEachMeshRule(sizes, [&](const DimsRule& other) {
    const auto dims = other.DimsFor(ranks);
    if (hidden || other.ndims != rule.ndims + 1 || !dims) return;
    for (int d = 0; d < other.ndims && !hidden; ++d) {
      const bool hides =
          (*dims)[size_t(d)] > 1 &&
          std::all_of(sizes.begin(), sizes.end(),
                      [&](int64_t n) { return is_hidden(other, d, n); });
      if (hides) hidden = other;
    }
  });
  return hidden;
}

bool MayBeInMortonOrder(const DimsRule& rule, const std::vector<int64_t>& sizes,
                        int64_t ranks) {
  if (rule.order != RankOrder::kRows || !rule.IsByMesh()) return false;
  DimsRule other = rule;
  other.order = RankOrder::kMorton;
  const auto is_alike = [&](int64_t n) {
    const auto rows = rule.GridFor(n), morton = other.GridFor(n);
    if (!rows || !morton) return false;
    for (int64_t r = 0; r < n; ++r) {
      if (rows->At(r) != morton->At(r)) return false;
    }
    return true;
  };
  return other.GridFor(ranks) && !is_alike(ranks) &&
         std::all_of(sizes.begin(), sizes.end(), is_alike);
}

std::optional<DimsRule> RivalAlong(const DimsRule& rule, unsigned sides,
                                   SideSeen seen,
                                   const std::vector<int64_t>& sizes,
                                   int64_t ranks) {
  std::optional<DimsRule> rival;
  const auto target = rule.GridFor(ranks);
  if (!target) return rival;
  std::vector<Grid> runs;
  for (const int64_t n : sizes) runs.push_back(*rule.GridFor(n));
  const auto look = [&](DimsRule other) {
    other.order = rule.order;
    std::vector<Grid> others;
    for (const int64_t n : sizes) {
      auto grid = other.GridFor(n);
      if (!grid) return;
      others.push_back(std::move(*grid));
    }
    for (int d = 0; d < rule.ndims && !rival; ++d) {
      for (int e = 0; e < other.ndims && (sides >> d & 1) != 0; ++e) {
        const auto is_alike = [&](const Grid& one, const Grid& two) {
          if (d == e && one == two) return true;
          return seen == SideSeen::kLength
                     ? one.dims[size_t(d)] == two.dims[size_t(e)]
                     : AreNumberedAlike(one, d, two, e);
        };
        if (!std::equal(runs.begin(), runs.end(), others.begin(), is_alike)) {
          continue;
        }
        // Of many ranks the shape takes longest to find.
        const auto beyond = other.GridFor(ranks);
        if (beyond && !is_alike(*target, *beyond)) rival = other;
      }
    }
  };
  for (const DimsRule& other : PlainRules()) {
    if (!rival && other.ndims > 1) look(other);
  }
  // Of some thousand meshes one fits almost anything: they need more sizes than
  // a rule that most programs have to be as likely, but not as another mesh.
  // Nobody runs what needs no squares on 9 and 25 ranks alone.
  constexpr size_t kFewSizes = 3;
  const bool needs_equal_sides = rule.kind == DimsRule::Kind::kEqual &&
                                 !std::ranges::all_of(sizes, IsPowerOfTwo);
  if (needs_equal_sides || (sizes.size() > kFewSizes && !rule.IsByMesh())) {
    return rival;
  }
  ForEachMeshRule(sizes, [&](const DimsRule& other) {
    if (!rival) look(other);
  });
  return rival;
}

namespace {

// Whether all talk within blocks of so many ranks in a row, or are members of
// communicators of the first of each.
bool AreWithinBlocks(const SeenPeers& run, int64_t block) {
  const auto is_first_of_next = [&](const auto& p) {
    return p.first % block == 0 && p.second == p.first + block;
  };
  const auto is_within = [&](const auto& p) {
    return p.first / block == p.second / block;
  };
  return !run.pairs.empty() && run.ranks > block &&
         (std::ranges::all_of(run.pairs, is_within) ||
          (run.are_members &&
           std::ranges::all_of(run.pairs, is_first_of_next)));
}

// Whether every rank talks to some that are one of so many parts of all away,
// or several, and to nobody else.
bool ArePartsAway(const SeenPeers& run, int64_t parts) {
  const auto is_away = [&](const auto& p) {
    return p.first != p.second &&
           (p.second - p.first) % (run.ranks / parts) == 0;
  };
  std::set<int64_t> talking;
  for (const auto& [one, other] : run.pairs) talking.insert({one, other});
  return int64_t(talking.size()) == run.ranks && !run.are_members &&
         run.ranks % parts == 0 && run.ranks > parts &&
         std::ranges::all_of(run.pairs, is_away);
}

}  // namespace

std::optional<DimsRule> RivalOfLine(const DimsRule& rule,
                                    std::span<const SeenPeers> peers,
                                    const std::vector<int64_t>& sizes,
                                    int64_t ranks) {
  constexpr int64_t kLongest = 8;
  // To nobody but themselves: such a side is one rank long.
  const auto are_own = [](const SeenPeers& run) { return run.pairs.empty(); };
  if (std::ranges::all_of(peers, are_own)) return std::nullopt;
  for (const bool last : {true, false}) {
    const auto holds_all = [&](int64_t side) {
      return std::ranges::all_of(peers, [&](const SeenPeers& run) {
        return are_own(run) ||
               (last ? AreWithinBlocks(run, side) : ArePartsAway(run, side));
      });
    };
    int64_t side = 2;
    while (side <= kLongest && !holds_all(side)) ++side;
    if (side > kLongest) continue;
    const auto length = [last](const DimsRule& r, int64_t n) {
      const std::vector<int64_t> dims = *r.DimsFor(n);
      return last ? dims.back() : dims.front();
    };
    const auto is_side = [&](const DimsRule& r) {
      return std::ranges::all_of(peers, [&](const SeenPeers& run) {
        return length(r, run.ranks) == (are_own(run) ? 1 : side);
      });
    };
    // Columns of one length are seen where communicators are such blocks: what
    // ranks do along the other side nothing shows.
    const bool has_side = rule.ndims > 1 && is_side(rule);
    if (has_side && rule.kind != DimsRule::Kind::kFixed) continue;
    const auto rivals = [&](const DimsRule& other) {
      return other.ndims > 1 && HoldsAt(other, sizes) && is_side(other) &&
             other.DimsFor(ranks) &&
             other.DimsFor(ranks) != rule.DimsFor(ranks) &&
             length(other, ranks) != side;
    };
    for (const DimsRule& other : PlainRules()) {
      if (!has_side && rivals(other)) return other;
    }
    // Who makes groups of one size takes a power of two. Six ranks in a row are
    // as likely a side of a mesh.
    if (IsPowerOfTwo(side)) continue;
    std::optional<DimsRule> by_mesh;
    ForEachMeshRule(sizes, [&](const DimsRule& other) {
      if (!by_mesh && rivals(other)) by_mesh = other;
    });
    if (by_mesh) return by_mesh;
  }
  return std::nullopt;
}

std::vector<DimsRule> RulesOfMesh(const std::vector<int64_t>& mesh,
                                  const DimsRule& rule,
                                  const std::vector<int64_t>& sizes) {
  using Kind = DimsRule::Kind;
  std::vector<DimsRule> rules;
  if (mesh.size() < 2 || mesh.size() > 3) return rules;
  for (const Kind kind :
       {Kind::kLeastSurface, Kind::kLeastBlockSurface, Kind::kHalves}) {
    for (const bool reversed : {false, true}) {
      const DimsRule by_mesh{kind, rule.ndims, reversed,  0,
                             {},   mesh,       rule.order};
      if (HoldsAt(by_mesh, sizes) && SameShapes(by_mesh, rule, sizes)) {
        rules.push_back(by_mesh);
      }
    }
  }
  return rules;
}

std::vector<DimsRule> OtherRules(const DimsRule& rule,
                                 const std::vector<int64_t>& sizes,
                                 const std::vector<int64_t>& mesh,
                                 MadeBy made_by, int64_t ranks) {
  using Kind = DimsRule::Kind;
  std::vector<DimsRule> others = RulesOfMesh(mesh, rule, sizes);
  const bool is_taken_at_its_word =
      rule.kind == Kind::kLine || rule.kind == Kind::kEqual ||
      rule.kind == Kind::kGiven ||
      (rule.kind == Kind::kBalanced && made_by != MadeBy::kProgram);
  if (is_taken_at_its_word) return others;
  const auto add = [&](DimsRule other) {
    other.order = rule.order;
    if (SameShapes(other, rule, sizes)) others.push_back(other);
  };
  // What laws take for the mesh need not be it: only of what is cut by that
  // very mesh it is the better guess, and hardly where it is cut by the factors
  // of numbers that are no powers of two.
  const bool by_factors =
      rule.kind == Kind::kHalves && !std::ranges::all_of(sizes, IsPowerOfTwo);
  if (others.empty() || !rule.IsByMesh() || by_factors) {
    ForEachMeshRule(sizes, add);
    const std::vector<DimsRule> blocks =
        LikelyBlockRules(rule, sizes, mesh, ranks);
    others.insert(others.end(), blocks.begin(), blocks.end());
  }
  for (const DimsRule& other : PlainRules()) {
    if (HoldsAt(other, sizes)) add(other);
  }
  // As square as can be in all runs, whichever side is the longer one: what a
  // mesh of nearly equal sides gives, in whole points.
  const DimsRule balanced{Kind::kBalanced, rule.ndims, false, 0, {}};
  if (rule.kind == Kind::kFixed && SameSides(balanced, rule, sizes)) {
    others.push_back(balanced);
  }
  return others;
}

}  // namespace ranksight::online_model
