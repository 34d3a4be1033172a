#include "online_model/structure/rival_rules.h"

#include <algorithm>
#include <map>
#include <set>

#include "online_model/structure/grid.h"
#include "online_model/structure/rule_families.h"

namespace ranksight::online_model {
namespace {

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

// One for each shape of `ranks` that a share of the meshes gives, by whose
// blocks the runs are as the rule says: of those, where the program is known to
// ask for its mesh (of few any), else of all. Some odd mesh gives almost any:
// most programs whose grids are as even as can be, or of two columns, do not
// ask for a mesh. Three sides of which the smallest is the first are not what
// MPI_Dims_create gives, and as likely a mesh's. `mesh`: what laws take for it.
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
    const bool may_be_of_mesh =
        rule.IsByMesh() || (rule.reversed && rule.ndims > 2);
    const bool is_likely = may_be_of_mesh
                               ? meshes.count * kOneOfLikeRuns >= like_runs
                               : meshes.count * kOneOfAll >= all;
    if (is_likely) likely.push_back(meshes.first);
  }
  return likely;
}

// Of which all sides but one are constants as they are by `rule`.
std::optional<DimsRule> OneFreeLike(const DimsRule& rule,
                                    const std::vector<int64_t>& sizes) {
  std::map<int64_t, std::vector<int64_t>> shapes;
  for (const int64_t n : sizes) shapes[n] = *rule.DimsFor(n);
  return OneFreeRule(shapes, rule.order);
}

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
  const auto one_free = OneFreeLike(rule, sizes);
  if (!rival && one_free) look(*one_free);
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
    if (has_side && !rule.HasConstantSides()) continue;
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
  if (const auto one_free = OneFreeLike(rule, sizes)) add(*one_free);
  // As square as can be in all runs, whichever side is the longer one: what a
  // mesh of nearly equal sides gives, in whole points.
  const DimsRule balanced{Kind::kBalanced, rule.ndims, false, 0, {}};
  if (rule.kind == Kind::kFixed && SameSides(balanced, rule, sizes)) {
    others.push_back(balanced);
  }
  return others;
}

}  // namespace ranksight::online_model
